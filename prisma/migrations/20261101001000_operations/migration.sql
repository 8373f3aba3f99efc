-- What keeps the service safe to operate: re-encryption, restored backups, and whether the database takes writes.
--
-- Two things are not in migrations. The application's role belongs to the cluster, and its rights and the
-- row-level-security policy of every table with a practice are set from the tables there are, at each start
-- (scripts/database/roles.ts), so that no new table can be without.

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
COMMENT ON FUNCTION reseal_fixed IS 'Re-encrypts files and notes, which the application cannot change otherwise: replaces exactly the given bytes with bytes under a practice key, and returns how many rows. Called by key rotation.';
REVOKE ALL ON FUNCTION reseal_fixed FROM PUBLIC;

CREATE TABLE submission_ledger (
  id UUID NOT NULL CONSTRAINT submission_ledger_pkey PRIMARY KEY
);
COMMENT ON TABLE submission_ledger IS 'The ledgers of submissions that workers keep outside the database. A worker that has none, where one is known, may be looking at a restored backup and submits nothing until told to.';

-- Its column is not called practice_id, because every connection must see all rows.
CREATE TABLE record_stop (
  chain TEXT NOT NULL CONSTRAINT record_stop_pkey PRIMARY KEY,
  -- belongs to no single practice, so it stops all of them
  is_shared BOOLEAN NOT NULL,
  -- the missing entry that a worker has seen
  seq BIGINT NOT NULL,
  hash TEXT NOT NULL,
  at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE record_stop IS 'A chain of the audit log that lacks an entry. Nothing is submitted or accepted for its practice until pa recover.';

CREATE TABLE readiness (
  id INTEGER NOT NULL CONSTRAINT readiness_pkey PRIMARY KEY CHECK (id = 1),
  asked_at TIMESTAMPTZ(6) NOT NULL
);
COMMENT ON TABLE readiness IS 'One row, written to find out whether the database takes writes.';
