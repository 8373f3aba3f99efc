-- A case writes fewer index entries and locks fewer rows.

-- serves: the worker: pushes still to be processed
CREATE INDEX CONCURRENTLY payer_event_waiting_idx ON payer_event (task_id) WHERE handled_at IS NULL;

-- It had every event that was ever handled.
DROP INDEX CONCURRENTLY payer_event_handled_at_task_id_idx;

-- What the workers look for has two narrow tables, so that no update of a submission changes a column of an index.

-- No foreign keys to the gate: a row is written behind the submission's own, by the trigger below.
CREATE TABLE release_due (
  gate_id UUID NOT NULL CONSTRAINT release_due_pkey PRIMARY KEY,
  task_id UUID NOT NULL,
  practice_id TEXT NOT NULL,
  payer_host TEXT NOT NULL,
  claimable_at TIMESTAMPTZ(6) NOT NULL,
  -- as in transmission; workers write it here
  reserved_until TIMESTAMPTZ(6),
  attempt INTEGER NOT NULL,
  released_at TIMESTAMPTZ(6) NOT NULL
)
WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
COMMENT ON TABLE release_due IS 'A release that a worker has still to claim: what the claims go by of a submission in the phase "released" that is not manual. Kept by transmission_follow.';

-- serves: the worker: the next releases of each practice and payer host
CREATE INDEX release_due_practice_id_payer_host_idx ON release_due (practice_id, payer_host, claimable_at, gate_id);

CREATE TABLE submission_in_hand (
  gate_id UUID NOT NULL CONSTRAINT submission_in_hand_pkey PRIMARY KEY,
  task_id UUID NOT NULL,
  practice_id TEXT NOT NULL,
  payer_host TEXT NOT NULL,
  phase TEXT NOT NULL CHECK (phase IN ('submitting', 'unconfirmed')),
  -- until when the worker that claimed it may work on it; empty where none did
  lease_until TIMESTAMPTZ(6),
  -- when it may have left, once its outcome is unknown
  started_at TIMESTAMPTZ(6)
)
WITH (autovacuum_vacuum_scale_factor = 0.05);
COMMENT ON TABLE submission_in_hand IS 'A submission that is under way or of which the outcome is unknown. Kept by transmission_follow.';

-- serves: the worker: leases that have lapsed
CREATE INDEX submission_in_hand_lease_until_idx ON submission_in_hand (lease_until) WHERE lease_until IS NOT NULL;

CREATE FUNCTION transmission_follow() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM release_due WHERE gate_id = OLD.gate_id;
    DELETE FROM submission_in_hand WHERE gate_id = OLD.gate_id;
    RETURN NULL;
  END IF;
  IF NEW.phase = 'released' AND NOT NEW.is_manual THEN
    INSERT INTO release_due (gate_id, task_id, practice_id, payer_host, claimable_at, reserved_until, attempt, released_at)
    VALUES (NEW.gate_id, NEW.task_id, NEW.practice_id, NEW.payer_host, NEW.claimable_at, NEW.reserved_until, NEW.attempt, NEW.released_at)
    ON CONFLICT (gate_id) DO UPDATE
       SET payer_host = excluded.payer_host, claimable_at = excluded.claimable_at, reserved_until = excluded.reserved_until,
           attempt = excluded.attempt, released_at = excluded.released_at;
  ELSIF TG_OP = 'UPDATE' AND OLD.phase = 'released' THEN
    DELETE FROM release_due WHERE gate_id = NEW.gate_id;
  END IF;
  IF NEW.phase IN ('submitting', 'unconfirmed') THEN
    INSERT INTO submission_in_hand (gate_id, task_id, practice_id, payer_host, phase, lease_until, started_at)
    VALUES (NEW.gate_id, NEW.task_id, NEW.practice_id, NEW.payer_host, NEW.phase, NEW.lease_until, NEW.started_at)
    ON CONFLICT (gate_id) DO UPDATE
       SET payer_host = excluded.payer_host, phase = excluded.phase, lease_until = excluded.lease_until, started_at = excluded.started_at;
  ELSIF TG_OP = 'UPDATE' AND OLD.phase IN ('submitting', 'unconfirmed') THEN
    DELETE FROM submission_in_hand WHERE gate_id = NEW.gate_id;
  END IF;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION transmission_follow IS 'Keeps release_due and submission_in_hand as a submission stands, whichever program writes it. Called by the triggers of transmission.';

REVOKE ALL ON FUNCTION transmission_follow FROM PUBLIC;

CREATE TRIGGER transmission_begins AFTER INSERT ON transmission FOR EACH ROW
  WHEN (NEW.phase <> 'done') EXECUTE FUNCTION transmission_follow();

CREATE TRIGGER transmission_goes_on AFTER UPDATE ON transmission FOR EACH ROW
  WHEN ((OLD.phase, OLD.is_manual, OLD.payer_host, OLD.claimable_at, OLD.reserved_until, OLD.lease_until) IS DISTINCT FROM
        (NEW.phase, NEW.is_manual, NEW.payer_host, NEW.claimable_at, NEW.reserved_until, NEW.lease_until))
  EXECUTE FUNCTION transmission_follow();

CREATE TRIGGER transmission_goes AFTER DELETE ON transmission FOR EACH ROW EXECUTE FUNCTION transmission_follow();

-- What was there before. Where one is written meanwhile, the trigger has it; where one is claimed meanwhile, this waits for it.
INSERT INTO release_due (gate_id, task_id, practice_id, payer_host, claimable_at, reserved_until, attempt, released_at)
SELECT gate_id, task_id, practice_id, payer_host, claimable_at, reserved_until, attempt, released_at
  FROM transmission WHERE phase = 'released' AND NOT is_manual FOR SHARE
ON CONFLICT DO NOTHING;

INSERT INTO submission_in_hand (gate_id, task_id, practice_id, payer_host, phase, lease_until, started_at)
SELECT gate_id, task_id, practice_id, payer_host, phase, lease_until, started_at
  FROM transmission WHERE phase IN ('submitting', 'unconfirmed') FOR SHARE
ON CONFLICT DO NOTHING;

-- The program before this migration looks in transmission for what is due. Without these it reads all of it, which is slower
-- and finds the same.
DROP INDEX CONCURRENTLY transmission_due_idx;

DROP INDEX CONCURRENTLY transmission_phase_lease_until_idx;

-- No foreign keys to the task, as messages, revisions and events have none: a task stays and keeps its id, and these rows are
-- written in the statement that opens the task or behind its lock. Each check was a look-up of the task and a
-- record of its lock in the write-ahead log.
ALTER TABLE closed_code DROP CONSTRAINT closed_code_task_id_fkey;

ALTER TABLE payer_event DROP CONSTRAINT payer_event_task_id_fkey;

ALTER TABLE determination DROP CONSTRAINT determination_task_id_fkey;

ALTER TABLE decision_receipt DROP CONSTRAINT decision_receipt_task_id_fkey;

ALTER TABLE gate DROP CONSTRAINT gate_task_id_fkey;

-- Room for the decided version of a row beside the open one: elsewhere, its frozen requests are written to the log once more.
ALTER TABLE gate SET (fillfactor = 80);
