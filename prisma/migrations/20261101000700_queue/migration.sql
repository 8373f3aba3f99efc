-- The queue: the indexes behind its views and searches, and what reviewers do with a case besides deciding it.
--
-- A new task enters task_short_id_idx, task_open_idx, task_open_payer_idx and one index per code, and, where it has a
-- member id, task_member_hash_idx. The others cover only what some tasks come to, so that an intake does not pay for them.
-- Columns after `id` sort nothing: a list reads them from the index instead of from the table.

-- serves: search by case ID
CREATE INDEX task_short_id_idx ON task (short_id);
-- serves: search by the payer's reference
CREATE INDEX task_reference_idx ON task (practice_id, reference) WHERE reference IS NOT NULL;
-- serves: search by member id
CREATE INDEX task_member_hash_idx ON task (member_hash) WHERE member_hash IS NOT NULL;

-- serves: the views of open cases by state (all, unassigned, sent back, with payer, information requested): due first
CREATE INDEX task_open_idx ON task (practice_id, state, due_at, id, assignee_id, remark_by, filter_bits, created_at)
  WHERE state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);
-- serves: the same for one payer; cases per payer on the health page; the open tasks of a payer connection
CREATE INDEX task_open_payer_idx
  ON task (practice_id, payer_id, state, due_at, id, assignee_id, remark_by, filter_bits, created_at, payer_due_at)
  WHERE state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);
-- serves: the view of urgent cases
CREATE INDEX task_urgent_idx ON task (practice_id, due_at, id)
  WHERE urgent AND state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);
-- serves: the view of the cases assigned to one person
CREATE INDEX task_assignee_idx ON task (assignee_id, due_at, id, practice_id, state, filter_bits, created_at, payer_due_at)
  WHERE assignee_id IS NOT NULL AND state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);
-- serves: the view of what requires action
CREATE INDEX task_needs_person_idx ON task (practice_id, due_at, id) WHERE needs_person IS NOT NULL;

-- serves: views sorted by the payer's deadline, and what is overdue at the payer
CREATE INDEX task_payer_due_idx ON task (practice_id, state, payer_due_at, id, due_at, assignee_id, filter_bits, created_at)
  WHERE payer_due_at IS NOT NULL;
-- serves: the same for one payer
CREATE INDEX task_payer_clock_idx ON task (practice_id, payer_id, state, payer_due_at, id, created_at)
  WHERE state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']) AND payer_due_at IS NOT NULL;

-- Open cases by code. The first three codes of a case have an index each, and a case with more is found by its
-- filter_bits. These are expressions because an index over the whole array may not be used behind row-level security.
-- serves: the views of open cases with a code, as their first
CREATE INDEX task_open_code_1_idx ON task (practice_id, (procedure_codes[1]))
  WHERE state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']) AND procedure_codes[1] IS NOT NULL;
-- serves: as their second
CREATE INDEX task_open_code_2_idx ON task (practice_id, (procedure_codes[2]))
  WHERE state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']) AND procedure_codes[2] IS NOT NULL;
-- serves: as their third
CREATE INDEX task_open_code_3_idx ON task (practice_id, (procedure_codes[3]))
  WHERE state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']) AND procedure_codes[3] IS NOT NULL;
-- serves: of cases with more than three codes
CREATE INDEX task_open_codes_idx ON task (practice_id, filter_bits, id)
  WHERE state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']) AND procedure_codes[4] IS NOT NULL;

-- serves: the views of closed cases (decided, or one closed state): latest change first
CREATE INDEX task_closed_idx ON task (practice_id, state, changed_at, id, created_at)
  WHERE state = ANY (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);
-- serves: the same for one payer
CREATE INDEX task_closed_payer_idx ON task (practice_id, payer_id, state, changed_at, id, created_at)
  WHERE state = ANY (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);
-- serves: the health page: what payers decided in a period, from the index alone
CREATE INDEX task_decided_idx ON task (practice_id, decided_at, payer_id, payer_received_at, urgent) WHERE decided_at IS NOT NULL;

CREATE TABLE closed_code (
  task_id UUID NOT NULL,
  code TEXT NOT NULL,
  practice_id TEXT NOT NULL,
  changed_at TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT closed_code_pkey PRIMARY KEY (task_id, code),
  CONSTRAINT closed_code_task_id_fkey FOREIGN KEY (task_id) REFERENCES task (id) ON DELETE CASCADE ON UPDATE CASCADE
);
COMMENT ON TABLE closed_code IS 'A closed case, once for each of its codes: a rare code is found as fast as a frequent one. Written when a case closes.';
-- serves: the views of closed cases with a code: latest change first
CREATE INDEX closed_code_list_idx ON closed_code (practice_id, code, changed_at, task_id);

CREATE TABLE case_search (
  id UUID NOT NULL CONSTRAINT case_search_pkey PRIMARY KEY,
  person_id UUID NOT NULL,
  -- sealed
  text BYTEA NOT NULL,
  expires_at TIMESTAMPTZ(6) NOT NULL
);
COMMENT ON TABLE case_search IS 'What a person searched for, kept for minutes so that no URL contains it.';
-- serves: a person's earlier searches, which the next one deletes
CREATE INDEX case_search_person_id_idx ON case_search (person_id);

CREATE TABLE claim (
  task_id UUID NOT NULL CONSTRAINT claim_pkey PRIMARY KEY
    CONSTRAINT claim_task_id_fkey REFERENCES task (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  person_id UUID NOT NULL,
  since TIMESTAMPTZ(6) NOT NULL,
  until TIMESTAMPTZ(6) NOT NULL,
  -- who had it before, if it was taken over
  taken_from UUID,
  CONSTRAINT claim_lease CHECK (until >= since)
);
COMMENT ON TABLE claim IS 'Who is working on a case, for as long as they use it. Tells others; decides nothing.';

CREATE TABLE presence (
  person_id UUID NOT NULL,
  task_id UUID NOT NULL,
  practice_id TEXT NOT NULL,
  since TIMESTAMPTZ(6) NOT NULL,
  seen_at TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT presence_pkey PRIMARY KEY (person_id, task_id)
);
COMMENT ON TABLE presence IS 'Who has a case on their screen.';
-- serves: who is viewing these cases
CREATE INDEX presence_task_id_seen_at_idx ON presence (task_id, seen_at);

CREATE TABLE case_note (
  id UUID NOT NULL CONSTRAINT case_note_pkey PRIMARY KEY,
  task_id UUID NOT NULL CONSTRAINT case_note_task_id_fkey REFERENCES task (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  person_id UUID NOT NULL,
  -- sealed
  text BYTEA NOT NULL,
  at TIMESTAMPTZ(6) NOT NULL
);
COMMENT ON TABLE case_note IS 'What reviewers write to each other about a case. Never changed, never deleted, never sent.';
-- serves: the notes of a case, and how many it has
CREATE INDEX case_note_task_id_at_idx ON case_note (task_id, at);

CREATE TABLE reading (
  person_id UUID NOT NULL,
  task_id UUID NOT NULL,
  part TEXT NOT NULL,
  practice_id TEXT NOT NULL,
  day DATE NOT NULL,
  CONSTRAINT reading_pkey PRIMARY KEY (person_id, task_id, part)
);
COMMENT ON TABLE reading IS 'The last day on which a person read a part of a case, so that the audit log has one entry per day.';
