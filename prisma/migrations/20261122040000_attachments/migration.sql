-- The files of a task, sealed and kept once, and which revision has which of them.
CREATE TABLE "attachment" (
    "id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "practice_id" TEXT NOT NULL,
    "sha256" TEXT NOT NULL CHECK ("sha256" ~ '^[0-9a-f]{64}$'),
    "content_type" TEXT NOT NULL CHECK ("content_type" IN ('application/pdf', 'image/png', 'image/jpeg', 'image/tiff', 'application/xml', 'text/plain')),
    "size" INTEGER NOT NULL CHECK ("size" > 0),
    "name" BYTEA,
    "bytes" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "attachment_pkey" PRIMARY KEY ("id")
);

-- What is sealed does not compress.
ALTER TABLE "attachment" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;

CREATE TABLE "revision_attachment" (
    "task_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "position" INTEGER NOT NULL CHECK ("position" >= 0),
    "practice_id" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    CONSTRAINT "revision_attachment_pkey" PRIMARY KEY ("task_id", "revision", "position")
);

CREATE UNIQUE INDEX "attachment_task_id_sha256_key" ON "attachment" ("task_id", "sha256");
CREATE UNIQUE INDEX "revision_attachment_task_id_revision_sha256_key" ON "revision_attachment" ("task_id", "revision", "sha256");

-- Checked at the commit: bytes are written before the statement that opens the task, which holds its practice's audit chain.
ALTER TABLE "attachment" ADD CONSTRAINT "attachment_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "task" ("id") ON DELETE RESTRICT ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "revision_attachment" ADD CONSTRAINT "revision_attachment_task_id_revision_fkey" FOREIGN KEY ("task_id", "revision") REFERENCES "revision" ("task_id", "number") ON DELETE RESTRICT ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "revision_attachment" ADD CONSTRAINT "revision_attachment_task_id_sha256_fkey" FOREIGN KEY ("task_id", "sha256") REFERENCES "attachment" ("task_id", "sha256") ON DELETE RESTRICT ON UPDATE CASCADE;

-- How many files the current revision has, so that a poll reads none where there are none.
ALTER TABLE "task" ADD COLUMN "attachment_count" INTEGER NOT NULL DEFAULT 0;
