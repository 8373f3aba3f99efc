-- The facts of an event are compressed with the dictionary too, whose values begin with a 4. Sealed anew, they still are.
CREATE OR REPLACE FUNCTION reseal_task_events(p_tasks UUID[], p_versions INT[], p_positions INT[], p_old BYTEA[], p_new BYTEA[]) RETURNS INT
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  v_count INT;
BEGIN
  IF EXISTS (SELECT FROM unnest(p_new) n WHERE get_byte(n, 0) NOT IN (2, 4)) THEN
    RAISE EXCEPTION 'not a value under a practice key' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE task_event t SET facts = n.new
    FROM unnest(p_tasks, p_versions, p_positions, p_old, p_new) n (task_id, version, position, old, new)
   WHERE (t.task_id, t.version, t.position) = (n.task_id, n.version, n.position) AND t.facts = n.old;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN v_count;
END
$$;
