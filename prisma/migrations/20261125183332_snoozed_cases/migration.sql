-- Cases that reviewers put off, and lists that are narrowed to what is urgent.

CREATE TABLE snooze (
  task_id UUID NOT NULL CONSTRAINT snooze_pkey PRIMARY KEY
    CONSTRAINT snooze_task_id_fkey REFERENCES task (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  person_id UUID NOT NULL CONSTRAINT snooze_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- the case's version then; whatever happens to the case wakes it
  version INTEGER NOT NULL,
  -- what it waits for besides the time
  waits_for TEXT NOT NULL CHECK (waits_for IN ('time', 'payer', 'agent')),
  since TIMESTAMPTZ(6) NOT NULL,
  -- at the latest; in the past once it was woken
  until TIMESTAMPTZ(6) NOT NULL
);
COMMENT ON TABLE snooze IS 'The last time somebody put a case off: it is left out of what to do until it wakes. Hides nothing elsewhere.';
-- serves: the view of snoozed cases, which wakes first
CREATE INDEX snooze_practice_id_until_idx ON snooze (practice_id, until, task_id);

-- serves: urgent cases by the payer's deadline
CREATE INDEX CONCURRENTLY task_urgent_payer_due_idx
  ON task (practice_id, state, payer_due_at, id, due_at, assignee_id, filter_bits, created_at)
  WHERE urgent AND payer_due_at IS NOT NULL;
