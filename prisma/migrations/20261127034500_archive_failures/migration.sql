-- A closed case that fails to be archived waits longer each time, and holds up no other.

CREATE TABLE archive_failure (
  task_id UUID NOT NULL CONSTRAINT archive_failure_pkey PRIMARY KEY
    CONSTRAINT archive_failure_task_id_fkey REFERENCES task (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  -- as it was when the case failed; any change of the case gives it another
  closed_at TIMESTAMPTZ(6) NOT NULL,
  failures INTEGER NOT NULL DEFAULT 1,
  -- of the last time, in words that hold nothing of the case
  reason TEXT NOT NULL,
  -- when it failed first
  since TIMESTAMPTZ(6) NOT NULL,
  -- when it is tried again; while a worker is at it, until when it has the case
  due_at TIMESTAMPTZ(6) NOT NULL
);
COMMENT ON TABLE archive_failure IS 'Closed cases that could not be archived though others could, and when each is tried again. Archiving goes on past them.';
-- serves: the worker: what of a practice is to be tried again
CREATE INDEX archive_failure_practice_id_due_at_idx ON archive_failure (practice_id, due_at);
