-- Tasks, their revisions, messages and attachments.

-- No foreign key to the practice or the channel: neither is ever deleted, and each check would lock a row that all of
-- their tasks share.
CREATE TABLE task (
  id UUID NOT NULL CONSTRAINT task_pkey PRIMARY KEY,
  practice_id TEXT NOT NULL,
  -- the channel that opened it
  channel_id UUID NOT NULL,
  -- of the A2A conversation
  context_id UUID NOT NULL,
  payer_id TEXT NOT NULL,
  environment TEXT NOT NULL CHECK (environment IN ('live', 'test')),
  -- goes up by one with each change; every change is conditional on it
  version INTEGER NOT NULL DEFAULT 1,

  -- The lifecycle: what is under way here, and what the payer has. The public state is derived from both.
  motion TEXT NOT NULL CHECK (motion IN ('idle', 'held', 'released', 'sending', 'unconfirmed', 'ended')),
  motion_end TEXT CHECK (motion_end IN ('withdrawn', 'declined', 'failed')),
  -- the gate that is open, or whose action is under way
  gate_id UUID,
  -- whether the payer has the request
  holds TEXT NOT NULL CHECK (holds IN ('no', 'maybe', 'yes')),
  -- the payer's reference
  reference TEXT,
  -- the payer's open request for information, sealed
  wants BYTEA,
  -- the determination that counts
  determination_id UUID,
  -- the payer has taken our void and has not said yet that it is done
  void_pending BOOLEAN NOT NULL DEFAULT false,
  voided TEXT CHECK (voided IN ('by-us', 'by-payer')),

  -- The request.
  revision INTEGER NOT NULL,
  revision_digest TEXT NOT NULL,
  -- JSON pointers of what the payer connection still needs
  missing TEXT[] NOT NULL,
  -- why a person must act, until they do
  attention TEXT,
  -- the last explanation of where the task stands: who gave it, and its text, sealed
  remark_by TEXT,
  remark BYTEA,
  procedure_codes TEXT[] NOT NULL,
  -- sealed
  patient BYTEA,
  urgent BOOLEAN NOT NULL DEFAULT false,
  -- files of the current revision, so that a poll reads none where there are none
  attachment_count INTEGER NOT NULL DEFAULT 0,
  -- the person who took ownership after its channel lost access
  adopted_by UUID,

  -- When the worker next asks the payer, and how often it has.
  poll_at TIMESTAMPTZ(6),
  polls INTEGER NOT NULL DEFAULT 0,

  -- When it was first submitted, received by the payer (and who says so), decided and voided.
  sent_at TIMESTAMPTZ(6),
  payer_received_at TIMESTAMPTZ(6),
  payer_received_by TEXT CHECK (payer_received_by IN ('payer', 'person', 'service')),
  decided_at TIMESTAMPTZ(6),
  voided_at TIMESTAMPTZ(6),

  -- For lists only: these follow from the columns above and are written with them.
  -- the case ID that people use: the last eight digits of the id
  short_id TEXT NOT NULL,
  state TEXT NOT NULL,
  -- why a person must act, by attention or by the lifecycle
  needs_person TEXT,
  -- the practice's target for whoever must act; empty if no person must
  due_at TIMESTAMPTZ(6),
  -- the payer's legal deadline to decide, while it runs; empty if none is known
  payer_due_at TIMESTAMPTZ(6),
  assignee_id UUID,
  -- equal for equal member ids of one practice
  member_hash BYTEA,
  -- payer, channel and codes in 64 bits, so that a filtered list skips rows without reading them
  -- (lib/task/store/filter-bits.ts); all bits set says nothing, as for closed cases
  filter_bits BIGINT NOT NULL DEFAULT -1,

  created_at TIMESTAMPTZ(6) NOT NULL,
  changed_at TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT task_motion_end CHECK ((motion = 'ended') = (motion_end IS NOT NULL)),
  CONSTRAINT task_motion_gate CHECK (motion IN ('idle', 'ended') OR gate_id IS NOT NULL),
  CONSTRAINT task_payer_received CHECK ((payer_received_at IS NULL) = (payer_received_by IS NULL))
)
-- Lists are read from indexes alone, which works only for pages vacuumed since they changed. The usual fifth of the
-- table is twice as much as all open cases.
WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01);
COMMENT ON TABLE task IS 'A prior-authorization request. Never deleted, keeps its id. Its list indexes are in the migration "queue".';
-- serves: the worker: which payer to ask next
CREATE INDEX task_poll_at_idx ON task (poll_at) WHERE poll_at IS NOT NULL;

CREATE FUNCTION task_refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'cases are never removed and keep their ids' USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON FUNCTION task_refuse IS 'Refuses to delete a task or change its id, whoever asks. Called by the trigger task_stays.';
CREATE TRIGGER task_stays BEFORE DELETE OR UPDATE OF id ON task FOR EACH ROW EXECUTE FUNCTION task_refuse();

-- No foreign key to the task, here and in message: both are written in the statement that opens the task or while it is
-- locked, a task stays, and the check was a twelfth of the work of an intake.
CREATE TABLE revision (
  task_id UUID NOT NULL,
  number INTEGER NOT NULL CHECK (number > 0),
  practice_id TEXT NOT NULL,
  -- SHA-256 of the canonical bytes
  digest TEXT NOT NULL,
  -- the request as canonical JSON, sealed
  service_review BYTEA NOT NULL,
  created_at TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT revision_pkey PRIMARY KEY (task_id, number)
);
COMMENT ON TABLE revision IS 'One version of a task''s request. Never changed.';

CREATE TABLE message (
  id UUID NOT NULL CONSTRAINT message_pkey PRIMARY KEY,
  task_id UUID NOT NULL,
  practice_id TEXT NOT NULL,
  channel_id UUID NOT NULL,
  -- the agent's own id of it
  message_id TEXT,
  -- tells a repeated message from another with the same id
  content_digest TEXT NOT NULL,
  -- the revision it made, if any
  revision INTEGER,
  -- sealed
  body BYTEA NOT NULL,
  created_at TIMESTAMPTZ(6) NOT NULL
);
COMMENT ON TABLE message IS 'An accepted message of an agent.';
-- serves: a repeated message finds its task
CREATE UNIQUE INDEX message_channel_id_message_id_key ON message (channel_id, message_id);
-- serves: the message history of a task
CREATE INDEX message_task_id_created_at_id_idx ON message (task_id, created_at, id);

CREATE TABLE attachment (
  id UUID NOT NULL CONSTRAINT attachment_pkey PRIMARY KEY,
  -- checked at commit: files are written before the statement that opens the task, which locks its practice's audit chain
  task_id UUID NOT NULL CONSTRAINT attachment_task_id_fkey REFERENCES task (id)
    ON DELETE RESTRICT ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED,
  practice_id TEXT NOT NULL,
  sha256 TEXT NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  content_type TEXT NOT NULL CHECK (content_type IN ('application/pdf', 'image/png', 'image/jpeg', 'image/tiff', 'application/xml', 'text/plain')),
  -- bytes, before sealing
  size INTEGER NOT NULL CHECK (size > 0),
  -- both sealed; what is sealed does not compress
  name BYTEA,
  bytes BYTEA STORAGE EXTERNAL NOT NULL,
  created_at TIMESTAMPTZ(6) NOT NULL
);
COMMENT ON TABLE attachment IS 'A file of a task, kept once however often it is sent. Never changed, never deleted.';
-- serves: a task's file by its digest
CREATE UNIQUE INDEX attachment_task_id_sha256_key ON attachment (task_id, sha256);

CREATE TABLE revision_attachment (
  task_id UUID NOT NULL,
  revision INTEGER NOT NULL,
  position INTEGER NOT NULL CHECK (position >= 0),
  practice_id TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  CONSTRAINT revision_attachment_pkey PRIMARY KEY (task_id, revision, position),
  CONSTRAINT revision_attachment_task_id_revision_fkey FOREIGN KEY (task_id, revision) REFERENCES revision (task_id, number)
    ON DELETE RESTRICT ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT revision_attachment_task_id_sha256_fkey FOREIGN KEY (task_id, sha256) REFERENCES attachment (task_id, sha256)
    ON DELETE RESTRICT ON UPDATE CASCADE
);
COMMENT ON TABLE revision_attachment IS 'Which files a revision has, in order.';
-- serves: a file is in a revision once
CREATE UNIQUE INDEX revision_attachment_task_id_revision_sha256_key ON revision_attachment (task_id, revision, sha256);

-- The next two run as the owner, beyond the row-level-security policies: what the endpoint must know outside the
-- practices a call names, and no more than that.

CREATE FUNCTION task_known(p_task UUID) RETURNS BOOLEAN
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS
    $$ SELECT EXISTS (SELECT FROM task WHERE id = p_task) $$;
COMMENT ON FUNCTION task_known IS 'Whether any task has this id: an unknown id is refused differently from another practice''s task. Called by every method that names a task.';

CREATE FUNCTION message_known(p_channel UUID, p_message TEXT) RETURNS TABLE (task_id UUID, content_digest TEXT)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS
    $$ SELECT m.task_id, m.content_digest FROM message m WHERE m.channel_id = p_channel AND m.message_id = p_message $$;
COMMENT ON FUNCTION message_known IS 'What a channel''s own message with this id became, over all its practices. Called when a message comes in.';
