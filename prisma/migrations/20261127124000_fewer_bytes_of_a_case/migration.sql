-- A case writes fewer bytes to its tables, their indexes and the write-ahead log.

-- Without the case's id, which no list reads from the index: equal entries share their values, and a change of state writes
-- one that is shorter.
-- serves: whether an environment has few open cases, and then the views narrowed to it, with their counts
CREATE INDEX CONCURRENTLY task_open_by_environment_idx ON task (practice_id, environment, state)
  WHERE state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);

-- The program of the release before finds the same by the new one.
DROP INDEX CONCURRENTLY task_open_environment_idx;

-- ANALYZE keeps no samples of digests: they are looked for within a case or a chain, never by their value alone. A hundred of
-- each column were written to the log whenever a table had grown.
ALTER TABLE task ALTER COLUMN revision_digest SET STATISTICS 0;

ALTER TABLE revision ALTER COLUMN digest SET STATISTICS 0;

ALTER TABLE message ALTER COLUMN content_digest SET STATISTICS 0;

ALTER TABLE gate ALTER COLUMN digest SET STATISTICS 0, ALTER COLUMN document_digests SET STATISTICS 0;

ALTER TABLE payer_event ALTER COLUMN digest SET STATISTICS 0;

ALTER TABLE decision_key ALTER COLUMN content_digest SET STATISTICS 0;

ALTER TABLE audit_entry ALTER COLUMN hash SET STATISTICS 0;

-- An INSERT that allows for a conflict writes one more record to the log for each row. There is none to allow for: the row of
-- the submission is locked by whoever changes it.
CREATE OR REPLACE FUNCTION transmission_follow() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM release_due WHERE gate_id = OLD.gate_id;
    DELETE FROM submission_in_hand WHERE gate_id = OLD.gate_id;
    RETURN NULL;
  END IF;
  IF NEW.phase = 'released' AND NOT NEW.is_manual THEN
    UPDATE release_due
       SET payer_host = NEW.payer_host, claimable_at = NEW.claimable_at, reserved_until = NEW.reserved_until,
           attempt = NEW.attempt, released_at = NEW.released_at
     WHERE gate_id = NEW.gate_id;
    IF NOT FOUND THEN
      INSERT INTO release_due (gate_id, task_id, practice_id, payer_host, claimable_at, reserved_until, attempt, released_at)
      VALUES (NEW.gate_id, NEW.task_id, NEW.practice_id, NEW.payer_host, NEW.claimable_at, NEW.reserved_until, NEW.attempt, NEW.released_at);
    END IF;
  ELSIF TG_OP = 'UPDATE' AND OLD.phase = 'released' THEN
    DELETE FROM release_due WHERE gate_id = NEW.gate_id;
  END IF;
  IF NEW.phase IN ('submitting', 'unconfirmed') THEN
    UPDATE submission_in_hand
       SET payer_host = NEW.payer_host, phase = NEW.phase, lease_until = NEW.lease_until, started_at = NEW.started_at
     WHERE gate_id = NEW.gate_id;
    IF NOT FOUND THEN
      INSERT INTO submission_in_hand (gate_id, task_id, practice_id, payer_host, phase, lease_until, started_at)
      VALUES (NEW.gate_id, NEW.task_id, NEW.practice_id, NEW.payer_host, NEW.phase, NEW.lease_until, NEW.started_at);
    END IF;
  ELSIF TG_OP = 'UPDATE' AND OLD.phase IN ('submitting', 'unconfirmed') THEN
    DELETE FROM submission_in_hand WHERE gate_id = NEW.gate_id;
  END IF;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION transmission_follow IS 'Keeps release_due and submission_in_hand as a submission stands, whichever program writes it. Called by the triggers of transmission.';
