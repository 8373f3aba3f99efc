-- An update that changes no indexed column, and finds room in its page, writes no index (HOT). So what changes with every
-- step of a task stands in no index of it: `changed_at` no longer does, and when the payer is asked next has a table of
-- its own.

-- the last change of a task that is over; empty while it is open. Kept by the trigger task_closes
ALTER TABLE task ADD COLUMN closed_at TIMESTAMPTZ(6);

CREATE FUNCTION task_close() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  NEW.closed_at := CASE WHEN NEW.state = ANY (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']) THEN NEW.changed_at END;
  RETURN NEW;
END
$$;
COMMENT ON FUNCTION task_close IS 'Keeps task.closed_at, by which lists of closed cases are sorted. Called by the trigger task_closes.';

CREATE TRIGGER task_closes BEFORE INSERT OR UPDATE ON task FOR EACH ROW
  WHEN (NEW.closed_at IS DISTINCT FROM
        CASE WHEN NEW.state = ANY (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']) THEN NEW.changed_at END)
  EXECUTE FUNCTION task_close();

-- In one statement, which only a service that was never released may do.
UPDATE task SET closed_at = changed_at
 WHERE state = ANY (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']) AND closed_at IS DISTINCT FROM changed_at;

-- serves: the views of closed cases (decided, or one closed state): latest change first
CREATE INDEX CONCURRENTLY task_closed_at_idx ON task (practice_id, state, closed_at, id, created_at)
  WHERE state = ANY (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);

-- serves: the same for one payer
CREATE INDEX CONCURRENTLY task_closed_at_payer_idx ON task (practice_id, payer_id, state, closed_at, id, created_at)
  WHERE state = ANY (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);

DROP INDEX CONCURRENTLY task_closed_idx;

DROP INDEX CONCURRENTLY task_closed_payer_idx;

-- Room for the next version of a row beside it.
ALTER TABLE task SET (fillfactor = 80);

ALTER TABLE transmission SET (fillfactor = 80);

-- No foreign key to the task, as messages have none: a task stays.
CREATE TABLE next_inquiry (
  task_id UUID NOT NULL CONSTRAINT next_inquiry_pkey PRIMARY KEY,
  practice_id TEXT NOT NULL,
  due_at TIMESTAMPTZ(6) NOT NULL,
  -- how many there were since the payer last said something new
  inquiries INTEGER NOT NULL DEFAULT 0 CHECK (inquiries >= 0)
)
WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
COMMENT ON TABLE next_inquiry IS 'When the worker next asks the payer about a task. Without a row it does not ask.';

-- The program before this migration keeps both in the task. What it writes there comes here too, until the columns go.
CREATE FUNCTION next_inquiry_follow() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  IF NEW.poll_at IS NULL THEN
    DELETE FROM next_inquiry WHERE task_id = NEW.id;
  ELSE
    INSERT INTO next_inquiry (task_id, practice_id, due_at, inquiries)
    VALUES (NEW.id, NEW.practice_id, NEW.poll_at, NEW.polls)
    ON CONFLICT (task_id) DO UPDATE SET due_at = excluded.due_at, inquiries = excluded.inquiries;
  END IF;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION next_inquiry_follow IS 'Brings what the previous release writes to task.poll_at and task.polls to next_inquiry. Called by the trigger task_poll.';

REVOKE ALL ON FUNCTION next_inquiry_follow FROM PUBLIC;

CREATE TRIGGER task_poll AFTER UPDATE OF poll_at, polls ON task FOR EACH ROW
  WHEN (OLD.poll_at IS DISTINCT FROM NEW.poll_at OR OLD.polls <> NEW.polls) EXECUTE FUNCTION next_inquiry_follow();

INSERT INTO next_inquiry (task_id, practice_id, due_at, inquiries)
SELECT id, practice_id, poll_at, polls FROM task WHERE poll_at IS NOT NULL
ON CONFLICT DO NOTHING;

-- serves: the worker: which payer to ask next
CREATE INDEX CONCURRENTLY next_inquiry_due_at_idx ON next_inquiry (due_at);
