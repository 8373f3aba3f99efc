-- Postgres reads the text of a trigger's condition anew for each statement, which took longer than to call the function
-- for each row: 35 of a lone intake's 500 µs.
CREATE OR REPLACE FUNCTION task_close() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  v_closed_at TIMESTAMPTZ(6);
BEGIN
  IF NEW.state = ANY (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']) THEN v_closed_at := NEW.changed_at; END IF;
  -- A row that stays as it is is not made anew.
  IF NEW.closed_at IS DISTINCT FROM v_closed_at THEN NEW.closed_at := v_closed_at; END IF;
  RETURN NEW;
END
$$;
COMMENT ON FUNCTION task_close IS 'Keeps task.closed_at, by which lists of closed cases are sorted. Called by the trigger task_closes.';

CREATE OR REPLACE TRIGGER task_closes BEFORE INSERT OR UPDATE ON task FOR EACH ROW EXECUTE FUNCTION task_close();

-- As with messages and revisions: tokens are made in the transaction that has just read their task, and a task stays. The
-- key looked the task up, and locked it, for each word of a patient's name.
ALTER TABLE case_token DROP CONSTRAINT case_token_task_id_fkey;
