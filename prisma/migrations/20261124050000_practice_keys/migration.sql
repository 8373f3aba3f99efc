-- The keys that seal a practice's columns, each wrapped by a key of the ring, which is never in the database.
CREATE TABLE practice_key (
  -- A practice, or ':service' for what belongs to none; no foreign key, because of the latter.
  practice_id TEXT NOT NULL,
  use TEXT NOT NULL CHECK (use IN ('seal', 'find')),
  version INT NOT NULL CHECK (version > 0),
  wrapped BYTEA NOT NULL,
  -- which key of the ring opens it
  wrapped_by TEXT NOT NULL,
  -- when it begins to seal; by then every process has read it
  active_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  made_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT practice_key_pkey PRIMARY KEY (practice_id, use, version)
);

-- Files and notes are never changed by the application. What they are sealed under may change: exactly the bytes that
-- were read, for bytes under a newer key. That a file is what it was, its digest proves whenever it is opened.
CREATE FUNCTION reseal_fixed(p_column TEXT, p_ids UUID[], p_old BYTEA[], p_new BYTEA[]) RETURNS INT
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  v_count INT;
BEGIN
  IF EXISTS (SELECT FROM unnest(p_new) n WHERE get_byte(n, 0) <> 2) THEN
    RAISE EXCEPTION 'not a value under a practice key' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF p_column = 'attachment.bytes' THEN
    UPDATE attachment t SET bytes = n.new FROM unnest(p_ids, p_old, p_new) n (id, old, new)
     WHERE t.id = n.id AND t.bytes = n.old;
  ELSIF p_column = 'attachment.name' THEN
    UPDATE attachment t SET name = n.new FROM unnest(p_ids, p_old, p_new) n (id, old, new)
     WHERE t.id = n.id AND t.name = n.old;
  ELSIF p_column = 'case_note.text' THEN
    UPDATE case_note t SET text = n.new FROM unnest(p_ids, p_old, p_new) n (id, old, new)
     WHERE t.id = n.id AND t.text = n.old;
  ELSE
    RAISE EXCEPTION 'no such column' USING ERRCODE = 'insufficient_privilege';
  END IF;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN v_count;
END
$$;

REVOKE ALL ON FUNCTION reseal_fixed(TEXT, UUID[], BYTEA[], BYTEA[]) FROM PUBLIC;
