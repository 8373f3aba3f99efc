-- Large values of closed cases may go to an object store. A reference stands in their place, whose first byte is 5. Nothing
-- goes there until settings name a store, so that the program of the release before, which knows no reference, meets none.

CREATE TABLE archive_progress (
  practice_id TEXT NOT NULL CONSTRAINT archive_progress_pkey PRIMARY KEY
    CONSTRAINT archive_progress_practice_id_fkey REFERENCES practice (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  -- the last case whose values were archived: every one that closed before it is done
  closed_at TIMESTAMPTZ(6) NOT NULL DEFAULT '1970-01-01 00:00:00+00',
  task_id UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  -- when a worker looks again; while one is at work, until when it has the practice
  due_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  -- when the oldest case closed that was found due and is not done; empty where none is known
  oldest_at TIMESTAMPTZ(6),
  moved_values BIGINT NOT NULL DEFAULT 0,
  moved_bytes BIGINT NOT NULL DEFAULT 0
);
COMMENT ON TABLE archive_progress IS 'How far the closed cases of each practice have been archived, and how many values and sealed bytes were moved. Empty while no archive is set.';

-- serves: the worker: the practice that has waited longest
CREATE INDEX archive_progress_due_at_idx ON archive_progress (due_at);

CREATE OR REPLACE FUNCTION reseal_fixed(p_column TEXT, p_ids UUID[], p_old BYTEA[], p_new BYTEA[]) RETURNS INT
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  v_count INT;
BEGIN
  IF EXISTS (SELECT FROM unnest(p_new) n WHERE get_byte(n, 0) <> 2
               AND NOT (p_column = 'attachment.bytes' AND get_byte(n, 0) = 5 AND octet_length(n) = 41)) THEN
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
COMMENT ON FUNCTION reseal_fixed IS 'Re-encrypts files and notes, which the application cannot change otherwise: replaces exactly the given bytes with bytes under a practice key, or those of a file with its reference to the archive, and returns how many rows. Called by key rotation and by the archive.';
