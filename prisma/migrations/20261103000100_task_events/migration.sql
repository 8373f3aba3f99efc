-- What happened to each task, kept as it happened.

-- No foreign key to the task, as messages have none: the first event is written in the statement that opens the task,
-- the others behind its lock, and a task stays. No index beyond the key, which serves: the events of a task, in order.
CREATE TABLE task_event (
  task_id UUID NOT NULL,
  -- the version of the task that this change made
  version INTEGER NOT NULL CHECK (version > 0),
  -- its place among the events of that change, counted from 1
  position INTEGER NOT NULL CHECK (position > 0),
  practice_id TEXT NOT NULL,
  -- as in lib/task/model/lifecycle/event.ts
  type TEXT NOT NULL,
  -- what happened, as JSON, sealed
  facts BYTEA NOT NULL,
  occurred_at TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT task_event_pkey PRIMARY KEY (task_id, version, position)
);
COMMENT ON TABLE task_event IS 'What happened to a task, as past facts. Taken in order they give the task as it stands, which pa audit verify compares. Never changed, never deleted.';

-- Empty in a new database.
CREATE TABLE task_before_events (
  task_id UUID NOT NULL CONSTRAINT task_before_events_pkey PRIMARY KEY,
  practice_id TEXT NOT NULL
);
COMMENT ON TABLE task_before_events IS 'Tasks that were opened before their events were kept, so that they do not follow from events. Written once, by the migration that made it.';
INSERT INTO task_before_events (task_id, practice_id) SELECT id, practice_id FROM task;

CREATE FUNCTION reseal_task_events(p_tasks UUID[], p_versions INT[], p_positions INT[], p_old BYTEA[], p_new BYTEA[]) RETURNS INT
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  v_count INT;
BEGIN
  IF EXISTS (SELECT FROM unnest(p_new) n WHERE get_byte(n, 0) <> 2) THEN
    RAISE EXCEPTION 'not a value under a practice key' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE task_event t SET facts = n.new
    FROM unnest(p_tasks, p_versions, p_positions, p_old, p_new) n (task_id, version, position, old, new)
   WHERE (t.task_id, t.version, t.position) = (n.task_id, n.version, n.position) AND t.facts = n.old;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN v_count;
END
$$;
COMMENT ON FUNCTION reseal_task_events IS 'Re-encrypts the events of tasks, which the application cannot change otherwise: replaces exactly the given bytes with bytes under a practice key, and returns how many rows. Called by key rotation.';
REVOKE ALL ON FUNCTION reseal_task_events FROM PUBLIC;
