CREATE TABLE "practice" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active' CHECK ("status" IN ('active', 'suspended')),
    "environment" TEXT NOT NULL DEFAULT 'live' CHECK ("environment" IN ('live', 'test')),
    "recall_window_s" INTEGER NOT NULL DEFAULT 10 CHECK ("recall_window_s" BETWEEN 0 AND 3600),
    "gate_expiry_days" INTEGER NOT NULL DEFAULT 14 CHECK ("gate_expiry_days" BETWEEN 1 AND 365),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    CONSTRAINT "practice_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "channel" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active' CHECK ("status" IN ('active', 'suspended')),
    "atoms" TEXT[] NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    CONSTRAINT "channel_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "channel_practice" (
    "channel_id" UUID NOT NULL,
    "practice_id" TEXT NOT NULL,
    CONSTRAINT "channel_practice_pkey" PRIMARY KEY ("channel_id", "practice_id")
);

CREATE TABLE "channel_key" (
    "id" TEXT NOT NULL,
    "channel_id" UUID NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    "expires_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),
    CONSTRAINT "channel_key_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "person" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL CHECK ("email" = lower("email")),
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "roles" TEXT[] NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active' CHECK ("status" IN ('active', 'disabled')),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    CONSTRAINT "person_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "person_practice" (
    "person_id" UUID NOT NULL,
    "practice_id" TEXT NOT NULL,
    CONSTRAINT "person_practice_pkey" PRIMARY KEY ("person_id", "practice_id")
);

CREATE TABLE "session" (
    "id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    "seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "revoked_at" TIMESTAMPTZ(6),
    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "sign_in_failure" (
    "subject" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "sign_in_failure_pkey" PRIMARY KEY ("subject")
);

CREATE TABLE "route" (
    "id" UUID NOT NULL,
    "practice_id" TEXT NOT NULL,
    "payer_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL CHECK ("version" > 0),
    "payer_name" TEXT,
    "connector" TEXT NOT NULL,
    "url" TEXT,
    "environment" TEXT NOT NULL CHECK ("environment" IN ('live', 'test')),
    "credential" BYTEA,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    CONSTRAINT "route_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "task" (
    "id" UUID NOT NULL,
    "practice_id" TEXT NOT NULL,
    "channel_id" UUID NOT NULL,
    "context_id" UUID NOT NULL,
    "payer_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL CHECK ("environment" IN ('live', 'test')),
    "version" INTEGER NOT NULL DEFAULT 1,
    "motion" TEXT NOT NULL CHECK ("motion" IN ('idle', 'held', 'released', 'sending', 'unconfirmed', 'ended')),
    "motion_end" TEXT CHECK ("motion_end" IN ('withdrawn', 'declined', 'failed')),
    "gate_id" UUID,
    "holds" TEXT NOT NULL CHECK ("holds" IN ('no', 'maybe', 'yes')),
    "reference" TEXT,
    "wants" BYTEA,
    "determination_id" UUID,
    "voided" TEXT CHECK ("voided" IN ('by-us', 'by-payer')),
    "revision" INTEGER NOT NULL,
    "revision_digest" TEXT NOT NULL,
    "missing" TEXT[] NOT NULL,
    "attention" TEXT,
    "remark_by" TEXT,
    "remark" BYTEA,
    "procedure_codes" TEXT[] NOT NULL,
    "patient" BYTEA,
    "urgent" BOOLEAN NOT NULL DEFAULT false,
    "adopted_by" UUID,
    "poll_at" TIMESTAMPTZ(6),
    "polls" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "task_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "task_motion_end" CHECK (("motion" = 'ended') = ("motion_end" IS NOT NULL)),
    CONSTRAINT "task_motion_gate" CHECK ("motion" IN ('idle', 'ended') OR "gate_id" IS NOT NULL)
);

CREATE TABLE "revision" (
    "task_id" UUID NOT NULL,
    "number" INTEGER NOT NULL CHECK ("number" > 0),
    "practice_id" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "service_review" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "revision_pkey" PRIMARY KEY ("task_id", "number")
);

CREATE TABLE "message" (
    "id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "practice_id" TEXT NOT NULL,
    "channel_id" UUID NOT NULL,
    "message_id" TEXT,
    "content_digest" TEXT NOT NULL,
    "revision" INTEGER,
    "body" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "message_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "gate" (
    "id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "practice_id" TEXT NOT NULL,
    "action" TEXT NOT NULL CHECK ("action" IN ('transmit', 'void')),
    "is_update" BOOLEAN NOT NULL,
    "by_hand" BOOLEAN NOT NULL,
    "revision" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "document_digests" TEXT[] NOT NULL,
    "calls" BYTEA NOT NULL,
    "purpose" BYTEA,
    "route_id" UUID,
    "route_version" INTEGER NOT NULL,
    "connector" TEXT NOT NULL,
    "environment" TEXT NOT NULL CHECK ("environment" IN ('live', 'test')),
    "warnings" TEXT[] NOT NULL,
    "status" TEXT NOT NULL CHECK ("status" IN ('open', 'released', 'declined', 'sent-back', 'recalled', 'expired', 'superseded', 'withdrawn')),
    "opened_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "decided_at" TIMESTAMPTZ(6),
    "decided_by" UUID,
    "reason" BYTEA,
    CONSTRAINT "gate_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "gate_expiry" CHECK ("expires_at" > "opened_at")
);

CREATE TABLE "vote" (
    "gate_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "practice_id" TEXT NOT NULL,
    "answer" TEXT NOT NULL CHECK ("answer" IN ('release', 'decline', 'send-back')),
    "at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "vote_pkey" PRIMARY KEY ("gate_id", "person_id")
);

CREATE TABLE "transmission" (
    "gate_id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "practice_id" TEXT NOT NULL,
    "action" TEXT NOT NULL CHECK ("action" IN ('transmit', 'void')),
    "by_hand" BOOLEAN NOT NULL,
    "phase" TEXT NOT NULL CHECK ("phase" IN ('released', 'sending', 'unconfirmed', 'done')),
    "released_at" TIMESTAMPTZ(6) NOT NULL,
    "claimable_at" TIMESTAMPTZ(6) NOT NULL,
    "attempt" INTEGER NOT NULL,
    "lease_until" TIMESTAMPTZ(6),
    "started_at" TIMESTAMPTZ(6),
    "answered_at" TIMESTAMPTZ(6),
    "answer" TEXT,
    CONSTRAINT "transmission_pkey" PRIMARY KEY ("gate_id")
);

CREATE TABLE "payer_event" (
    "id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "practice_id" TEXT NOT NULL,
    "gate_id" UUID,
    "kind" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "payload" BYTEA,
    "payer_at" TIMESTAMPTZ(6),
    "received_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "payer_event_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "determination" (
    "id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "practice_id" TEXT NOT NULL,
    "outcome" TEXT NOT NULL CHECK ("outcome" IN ('approved', 'modified', 'partially-approved', 'denied', 'not-required')),
    "environment" TEXT NOT NULL CHECK ("environment" IN ('live', 'test')),
    "document" BYTEA NOT NULL,
    "decided_at" TIMESTAMPTZ(6),
    "received_at" TIMESTAMPTZ(6) NOT NULL,
    "supersedes" UUID,
    CONSTRAINT "determination_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "audit_entry" (
    "chain" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "actor" TEXT NOT NULL,
    "act" TEXT NOT NULL,
    "task_id" UUID,
    "detail" TEXT NOT NULL,
    "prev_hash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("chain", "seq")
);

CREATE UNIQUE INDEX "person_email_key" ON "person" ("email");
CREATE INDEX "channel_key_channel_id_idx" ON "channel_key" ("channel_id");
CREATE INDEX "channel_practice_practice_id_idx" ON "channel_practice" ("practice_id");
CREATE INDEX "person_practice_practice_id_idx" ON "person_practice" ("practice_id");
CREATE INDEX "session_person_id_idx" ON "session" ("person_id");
CREATE UNIQUE INDEX "route_practice_id_payer_id_version_key" ON "route" ("practice_id", "payer_id", "version");
CREATE INDEX "task_practice_id_changed_at_id_idx" ON "task" ("practice_id", "changed_at", "id");
CREATE INDEX "task_practice_id_payer_id_motion_idx" ON "task" ("practice_id", "payer_id", "motion");
CREATE INDEX "task_poll_at_idx" ON "task" ("poll_at");
CREATE UNIQUE INDEX "message_channel_id_message_id_key" ON "message" ("channel_id", "message_id");
CREATE INDEX "message_task_id_created_at_id_idx" ON "message" ("task_id", "created_at", "id");
CREATE INDEX "gate_practice_id_status_opened_at_id_idx" ON "gate" ("practice_id", "status", "opened_at", "id");
CREATE INDEX "gate_status_expires_at_idx" ON "gate" ("status", "expires_at");
CREATE INDEX "gate_task_id_opened_at_idx" ON "gate" ("task_id", "opened_at");
CREATE INDEX "transmission_phase_by_hand_claimable_at_idx" ON "transmission" ("phase", "by_hand", "claimable_at");
CREATE INDEX "transmission_phase_lease_until_idx" ON "transmission" ("phase", "lease_until");
CREATE UNIQUE INDEX "payer_event_task_id_kind_digest_key" ON "payer_event" ("task_id", "kind", "digest");
CREATE INDEX "determination_task_id_received_at_idx" ON "determination" ("task_id", "received_at");
CREATE INDEX "audit_entry_task_id_idx" ON "audit_entry" ("task_id");

ALTER TABLE "channel_practice" ADD CONSTRAINT "channel_practice_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channel" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "channel_practice" ADD CONSTRAINT "channel_practice_practice_id_fkey" FOREIGN KEY ("practice_id") REFERENCES "practice" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "channel_key" ADD CONSTRAINT "channel_key_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channel" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "person_practice" ADD CONSTRAINT "person_practice_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "person" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "person_practice" ADD CONSTRAINT "person_practice_practice_id_fkey" FOREIGN KEY ("practice_id") REFERENCES "practice" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "session" ADD CONSTRAINT "session_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "person" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "route" ADD CONSTRAINT "route_practice_id_fkey" FOREIGN KEY ("practice_id") REFERENCES "practice" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- A task has no foreign key to its practice or channel: those are never deleted, and each check would lock one row that
-- every task of the practice or channel shares.
ALTER TABLE "revision" ADD CONSTRAINT "revision_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "task" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "message" ADD CONSTRAINT "message_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "task" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "gate" ADD CONSTRAINT "gate_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "task" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "vote" ADD CONSTRAINT "vote_gate_id_fkey" FOREIGN KEY ("gate_id") REFERENCES "gate" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "transmission" ADD CONSTRAINT "transmission_gate_id_fkey" FOREIGN KEY ("gate_id") REFERENCES "gate" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payer_event" ADD CONSTRAINT "payer_event_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "task" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "determination" ADD CONSTRAINT "determination_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "task" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- One link of a chain: the hash covers the link before it, so an edited, removed or reordered entry breaks every later one.
CREATE FUNCTION "audit_hash"("prev_hash" TEXT, "chain" TEXT, "seq" BIGINT, "at" TIMESTAMPTZ, "actor" TEXT, "act" TEXT, "task_id" UUID, "detail" TEXT)
RETURNS TEXT LANGUAGE sql STABLE AS $$
    SELECT encode(sha256(convert_to(concat_ws(E'\n', "prev_hash", "chain", "seq"::text,
        to_char("at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), "actor", "act", coalesce("task_id"::text, '-'), "detail"), 'UTF8')), 'hex')
$$;

-- The only way in: the application's role may call this and may not write the table.
CREATE FUNCTION "audit_append"("p_chain" TEXT, "p_actor" TEXT, "p_act" TEXT, "p_task_id" UUID, "p_detail" TEXT)
RETURNS BIGINT LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    v_prev RECORD;
    v_seq BIGINT;
    v_at TIMESTAMPTZ;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('audit:' || p_chain, 0));
    SELECT "seq", "hash" INTO v_prev FROM "audit_entry" WHERE "chain" = p_chain ORDER BY "seq" DESC LIMIT 1;
    v_seq := coalesce(v_prev."seq", 0) + 1;
    v_at := clock_timestamp();
    INSERT INTO "audit_entry" ("chain", "seq", "at", "actor", "act", "task_id", "detail", "prev_hash", "hash")
    VALUES (p_chain, v_seq, v_at, p_actor, p_act, p_task_id, p_detail, coalesce(v_prev."hash", ''),
        "audit_hash"(coalesce(v_prev."hash", ''), p_chain, v_seq, v_at, p_actor, p_act, p_task_id, p_detail));
    RETURN v_seq;
END
$$;

CREATE FUNCTION "audit_refuse"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit entries are never changed or removed' USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER "audit_entry_no_change" BEFORE UPDATE OR DELETE ON "audit_entry" FOR EACH ROW EXECUTE FUNCTION "audit_refuse"();
CREATE TRIGGER "audit_entry_no_truncate" BEFORE TRUNCATE ON "audit_entry" FOR EACH STATEMENT EXECUTE FUNCTION "audit_refuse"();

REVOKE ALL ON FUNCTION "audit_append"(TEXT, TEXT, TEXT, UUID, TEXT) FROM PUBLIC;
