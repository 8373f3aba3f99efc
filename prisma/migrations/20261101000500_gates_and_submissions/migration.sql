-- Gates at which an action is held, what reviewers decide there, and the submission of what they release.

CREATE TABLE gate (
  id UUID NOT NULL CONSTRAINT gate_pkey PRIMARY KEY,
  task_id UUID NOT NULL CONSTRAINT gate_task_id_fkey REFERENCES task (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('transmit', 'void')),
  -- the payer already has the request
  is_update BOOLEAN NOT NULL,
  -- manual submission: the worker never claims it
  by_hand BOOLEAN NOT NULL,
  revision INTEGER NOT NULL,
  -- of what is released: the documents, where they go, and the rest a reviewer sees
  digest TEXT NOT NULL,
  -- of each document, in order
  document_digests TEXT[] NOT NULL,
  -- the frozen requests to the payer, byte for byte, sealed
  calls BYTEA NOT NULL,
  -- why a void is requested, sealed
  purpose BYTEA,
  -- the payer connection it was frozen for; empty if there was none
  route_id UUID,
  route_version INTEGER NOT NULL,
  connector TEXT NOT NULL,
  environment TEXT NOT NULL CHECK (environment IN ('live', 'test')),
  warnings TEXT[] NOT NULL,
  -- decided when the gate opens; selects the practice's vote rule
  risk TEXT NOT NULL DEFAULT 'ordinary' CHECK (risk IN ('ordinary', 'high')),
  status TEXT NOT NULL CHECK (status IN ('open', 'released', 'declined', 'sent-back', 'recalled', 'expired', 'superseded', 'withdrawn')),
  opened_at TIMESTAMPTZ(6) NOT NULL,
  expires_at TIMESTAMPTZ(6) NOT NULL,
  decided_at TIMESTAMPTZ(6),
  decided_by UUID,
  -- why, in the reviewer's words (sealed), by code, and as JSON pointers of what is requested
  reason BYTEA,
  reason_code TEXT CHECK (reason_code IN ('wrong-patient-or-coverage', 'duplicate', 'not-supported', 'wrong-code-or-units',
    'wrong-payer', 'missing-documents', 'withdrawn-by-practice', 'other')),
  fields TEXT[],
  CONSTRAINT gate_expiry CHECK (expires_at > opened_at)
);
COMMENT ON TABLE gate IS 'An action held for a reviewer: one revision and the frozen bytes that a release submits.';
-- serves: the worker: gates that have expired; the view of what expires soon
CREATE INDEX gate_open_expires_at_idx ON gate (expires_at, practice_id, id) WHERE status = 'open';
-- serves: the gates of a task on its page
CREATE INDEX gate_task_id_opened_at_idx ON gate (task_id, opened_at);
-- serves: the health page: what was decided in a period, from the index alone
CREATE INDEX gate_decided_idx ON gate (practice_id, decided_at, status, opened_at, task_id) WHERE decided_at IS NOT NULL;

CREATE TABLE vote (
  gate_id UUID NOT NULL CONSTRAINT vote_gate_id_fkey REFERENCES gate (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  person_id UUID NOT NULL,
  practice_id TEXT NOT NULL,
  answer TEXT NOT NULL CHECK (answer IN ('release', 'decline', 'send-back')),
  -- the warnings that were overridden, and the override reason, sealed
  warnings TEXT[] NOT NULL DEFAULT '{}',
  reason BYTEA,
  at TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT vote_pkey PRIMARY KEY (gate_id, person_id)
);
COMMENT ON TABLE vote IS 'A reviewer''s answer at a gate. One release of several stands until the gate is decided or it is taken back.';

CREATE TABLE gate_opened (
  gate_id UUID NOT NULL CONSTRAINT gate_opened_gate_id_fkey REFERENCES gate (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  person_id UUID NOT NULL,
  practice_id TEXT NOT NULL,
  -- of what the page showed
  digest TEXT NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
  at TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT gate_opened_pkey PRIMARY KEY (gate_id, person_id)
);
COMMENT ON TABLE gate_opened IS 'Which reviewer was shown which open gate. Never changed, never deleted.';

CREATE TABLE decision_key (
  -- first in the primary key: a key that somebody else has used is as good as new
  person_id UUID NOT NULL,
  -- made with the form and sent with it
  key UUID NOT NULL,
  practice_id TEXT NOT NULL,
  task_id UUID NOT NULL,
  -- what was asked, and what was answered
  intent TEXT NOT NULL,
  content_digest TEXT NOT NULL,
  answer TEXT NOT NULL,
  at TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT decision_key_pkey PRIMARY KEY (person_id, key)
);
COMMENT ON TABLE decision_key IS 'Makes a decision once, however often its form arrives.';

CREATE TABLE transmission (
  gate_id UUID NOT NULL CONSTRAINT transmission_pkey PRIMARY KEY
    CONSTRAINT transmission_gate_id_fkey REFERENCES gate (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  task_id UUID NOT NULL,
  practice_id TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('transmit', 'void')),
  by_hand BOOLEAN NOT NULL,
  phase TEXT NOT NULL CHECK (phase IN ('released', 'sending', 'unconfirmed', 'done')),
  released_at TIMESTAMPTZ(6) NOT NULL,
  -- the end of the undo window, or of the wait before a retry
  claimable_at TIMESTAMPTZ(6) NOT NULL,
  -- how often a worker has claimed it; an attempt that is not the latest changes nothing
  attempt INTEGER NOT NULL,
  -- until when the worker that claimed it may work on it
  lease_until TIMESTAMPTZ(6),
  -- committed before the first byte leaves, so that a lapsed lease tells whether anything may have left
  started_at TIMESTAMPTZ(6),
  -- when the payer answered, and what
  answered_at TIMESTAMPTZ(6),
  answer TEXT,
  -- when it left; empty while that is unknown
  sent_at TIMESTAMPTZ(6),
  result TEXT CHECK (result IN ('received', 'refused', 'not-received', 'unconfirmed')),
  -- the payer's reference for this action
  reference TEXT,
  -- why the payer rejected it, sealed
  reason BYTEA,
  -- of a manual submission: how, by whom, and to whom or where (sealed)
  delivery TEXT CHECK (delivery IN ('portal', 'phone', 'fax')),
  sent_by UUID,
  sent_to BYTEA,
  CONSTRAINT transmission_delivery CHECK ((delivery IS NULL) = (sent_by IS NULL))
);
COMMENT ON TABLE transmission IS 'The submission of one released gate to the payer.';
-- serves: the worker: what can be claimed
CREATE INDEX transmission_phase_by_hand_claimable_at_idx ON transmission (phase, by_hand, claimable_at);
-- serves: the worker: leases that have lapsed
CREATE INDEX transmission_phase_lease_until_idx ON transmission (phase, lease_until);
-- serves: the health page: what was released in a period
CREATE INDEX transmission_practice_id_released_at_idx ON transmission (practice_id, released_at);

-- A function so that the statement that reads a task does not plan it unless the task was submitted. It runs as the
-- caller and under its row-level-security policies.
CREATE FUNCTION task_submissions(p_task UUID) RETURNS JSON
    LANGUAGE sql STABLE AS
    $$ SELECT json_agg(last) FROM (
         SELECT DISTINCT ON (sx.action) sx.gate_id, sx.action, sg.is_update, sx.by_hand, sg.revision, sx.attempt,
                sg.digest, sg.document_digests, sg.environment, sx.sent_at, sx.result, sx.answered_at, sx.reference,
                sx.delivery, encode(sx.reason, 'base64') AS reason,
                (SELECT count(*) FROM public.gate rg JOIN public.transmission rx ON rx.gate_id = rg.id
                  WHERE rg.task_id = p_task AND rg.action = sg.action AND rg.revision = sg.revision
                    AND rg.opened_at < sg.opened_at AND rx.result = 'refused') AS refusals
           FROM public.gate sg JOIN public.transmission sx ON sx.gate_id = sg.id
          WHERE sg.task_id = p_task AND sx.sent_at IS NOT NULL
          ORDER BY sx.action, sx.sent_at DESC, sg.opened_at DESC) last $$;
COMMENT ON FUNCTION task_submissions IS 'The last submission of each action of a task that left, with its outcome. Called when a submitted task is read.';

CREATE TABLE decision_receipt (
  id UUID NOT NULL CONSTRAINT decision_receipt_pkey PRIMARY KEY,
  practice_id TEXT NOT NULL,
  -- its place in the practice's chain of receipts
  seq INTEGER NOT NULL CHECK (seq > 0),
  task_id UUID NOT NULL CONSTRAINT decision_receipt_task_id_fkey REFERENCES task (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  gate_id UUID NOT NULL,
  decision TEXT NOT NULL CHECK (decision IN ('released', 'declined', 'sent-back', 'recalled', 'adopted')),
  decided_at TIMESTAMPTZ(6) NOT NULL,
  -- the audit entry of the decision
  audit_seq BIGINT NOT NULL,
  -- which key signed it
  kid TEXT NOT NULL,
  -- the canonical bytes, exactly: they are what is signed and hashed
  document TEXT NOT NULL
);
COMMENT ON TABLE decision_receipt IS 'A signed receipt of a decision a person made at a gate, chained per practice. Names staff, never patients.';
-- serves: the last receipt of a practice, and the export in order; no two have the same place
CREATE UNIQUE INDEX decision_receipt_practice_id_seq_key ON decision_receipt (practice_id, seq);
-- serves: the receipts on the case page
CREATE INDEX decision_receipt_task_id_idx ON decision_receipt (task_id);

CREATE FUNCTION decision_receipt_refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'decision receipts are never changed or removed' USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON FUNCTION decision_receipt_refuse IS 'Refuses to change or delete a receipt, whoever asks. Called by the triggers of decision_receipt.';
CREATE TRIGGER decision_receipt_no_change BEFORE UPDATE OR DELETE ON decision_receipt FOR EACH ROW EXECUTE FUNCTION decision_receipt_refuse();
CREATE TRIGGER decision_receipt_no_truncate BEFORE TRUNCATE ON decision_receipt FOR EACH STATEMENT EXECUTE FUNCTION decision_receipt_refuse();
