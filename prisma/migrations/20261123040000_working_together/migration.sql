-- Who has taken a case up, for as long as they use it. Says so to others; decides nothing.
CREATE TABLE "claim" (
    "task_id" UUID NOT NULL,
    "practice_id" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "since" TIMESTAMPTZ(6) NOT NULL,
    "until" TIMESTAMPTZ(6) NOT NULL,
    "taken_from" UUID,
    CONSTRAINT "claim_pkey" PRIMARY KEY ("task_id"),
    CONSTRAINT "claim_lease" CHECK ("until" >= "since")
);

-- Who has a case on their screen.
CREATE TABLE "presence" (
    "person_id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "practice_id" TEXT NOT NULL,
    "since" TIMESTAMPTZ(6) NOT NULL,
    "seen_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "presence_pkey" PRIMARY KEY ("person_id", "task_id")
);

-- What reviewers write to each other about a case. Never changed, never removed, never sent.
CREATE TABLE "case_note" (
    "id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "practice_id" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "text" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "case_note_pkey" PRIMARY KEY ("id")
);

-- Which reviewer was shown which open gate. Never changed, never removed.
CREATE TABLE "gate_opened" (
    "gate_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "practice_id" TEXT NOT NULL,
    "digest" TEXT NOT NULL CHECK ("digest" ~ '^[0-9a-f]{64}$'),
    "at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "gate_opened_pkey" PRIMARY KEY ("gate_id", "person_id")
);

-- The last day on which somebody read a part of a case, so that the record names a day's readings once.
CREATE TABLE "reading" (
    "person_id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "part" TEXT NOT NULL,
    "practice_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    CONSTRAINT "reading_pkey" PRIMARY KEY ("person_id", "task_id", "part")
);

CREATE INDEX "presence_task_id_seen_at_idx" ON "presence" ("task_id", "seen_at");
CREATE INDEX "case_note_task_id_at_idx" ON "case_note" ("task_id", "at");

ALTER TABLE "claim" ADD CONSTRAINT "claim_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "task" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "case_note" ADD CONSTRAINT "case_note_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "task" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "gate_opened" ADD CONSTRAINT "gate_opened_gate_id_fkey" FOREIGN KEY ("gate_id") REFERENCES "gate" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
