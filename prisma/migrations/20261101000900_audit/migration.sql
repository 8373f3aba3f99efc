-- The audit log: chains of entries, each of which contains the hash of the one before. An edited, removed or reordered
-- entry breaks every later one. The application can append and purge through functions, and has no other way to write.
-- lib/audit/store/audit-guards.ts knows the triggers and the text of these functions and reports any that was changed.

-- audit_append_each fills a row by position, so a new column goes last and into its list.
CREATE TABLE audit_entry (
  -- a practice, or what practices share, such as 'people'
  chain TEXT NOT NULL,
  -- 1, 2, 3, ... without a gap
  seq BIGINT NOT NULL,
  -- never before the previous entry's, whatever the clock does
  at TIMESTAMPTZ(6) NOT NULL,
  -- the content, emptied when its retention is over: who did what to which task
  actor TEXT NOT NULL,
  act TEXT NOT NULL,
  task_id UUID,
  -- JSON: ids, digests, states and numbers, never patients' data
  detail TEXT NOT NULL,
  -- of the previous entry in the chain
  prev_hash TEXT NOT NULL,
  -- of prev_hash, chain, seq and content_hash
  hash TEXT NOT NULL,
  -- goes with the content, so that a short content cannot be guessed from its hash
  salt UUID,
  -- of salt, at and the content; it stays, so that the chain holds after the content is gone
  content_hash TEXT NOT NULL,
  CONSTRAINT audit_entry_pkey PRIMARY KEY (chain, seq)
);
COMMENT ON TABLE audit_entry IS 'An entry of the audit log. Inserted by audit_append and audit_append_each only.';
-- serves: the history on the case page
CREATE INDEX audit_entry_task_id_idx ON audit_entry (task_id);

CREATE TABLE audit_chain (
  chain TEXT NOT NULL CONSTRAINT audit_chain_pkey PRIMARY KEY,
  -- verified up to this entry, with this hash
  verified_seq BIGINT NOT NULL DEFAULT 0,
  verified_hash TEXT NOT NULL DEFAULT '',
  verified_at TIMESTAMPTZ(6),
  -- the first entry that does not follow from the one before, and how
  bad_seq BIGINT,
  problem TEXT,
  -- exported up to here as a signed head, which an export carries along
  exported_seq BIGINT NOT NULL DEFAULT 0,
  exported_at TIMESTAMPTZ(6),
  signed_head TEXT,
  -- purged up to here
  purged_through BIGINT NOT NULL DEFAULT 0
);
COMMENT ON TABLE audit_chain IS 'How far a chain was verified, exported and purged: for pages and for the next round. The proof is the chain and the exported heads.';

CREATE TABLE audit_retention (
  -- a chain, or * for every chain without a row of its own
  scope TEXT NOT NULL CONSTRAINT audit_retention_pkey PRIMARY KEY,
  days INTEGER NOT NULL CHECK (days BETWEEN 365 AND 36500)
);
COMMENT ON TABLE audit_retention IS 'How long the content of entries is kept. Without a row, forever.';

CREATE FUNCTION audit_content_hash(p_salt UUID, p_at TIMESTAMPTZ, p_actor TEXT, p_act TEXT, p_task_id UUID, p_detail TEXT)
RETURNS TEXT LANGUAGE sql STABLE AS $$
    SELECT encode(sha256(convert_to(concat_ws(E'\n', 'audit-content-2', p_salt::text,
        to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), p_actor, p_act, coalesce(p_task_id::text, '-'), p_detail), 'UTF8')), 'hex')
$$;
COMMENT ON FUNCTION audit_content_hash IS 'The hash of an entry''s content. Called by audit_append and audit_append_each; lib/audit computes the same.';

CREATE FUNCTION audit_link_hash(p_prev_hash TEXT, p_chain TEXT, p_seq BIGINT, p_content_hash TEXT)
RETURNS TEXT LANGUAGE sql STABLE AS $$
    SELECT encode(sha256(convert_to(concat_ws(E'\n', 'audit-link-2', p_prev_hash, p_chain, p_seq::text, p_content_hash), 'UTF8')), 'hex')
$$;
COMMENT ON FUNCTION audit_link_hash IS 'The hash of an entry in its chain. Called by audit_append and audit_append_each; lib/audit computes the same. Not IMMUTABLE: then it would not be inlined, being made of STABLE functions.';

CREATE FUNCTION audit_append(p_chain TEXT, p_actor TEXT, p_act TEXT, p_task_id UUID, p_detail TEXT)
RETURNS BIGINT LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    v_prev RECORD;
    v_prev_hash TEXT;
    v_seq BIGINT;
    v_at TIMESTAMPTZ;
    v_salt UUID := gen_random_uuid();
    v_content_hash TEXT;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('audit:' || p_chain, 0));
    SELECT seq, hash, at INTO v_prev FROM audit_entry WHERE chain = p_chain ORDER BY seq DESC LIMIT 1;
    v_prev_hash := coalesce(v_prev.hash, '');
    v_seq := coalesce(v_prev.seq, 0) + 1;
    v_at := greatest(clock_timestamp(), v_prev.at);
    v_content_hash := audit_content_hash(v_salt, v_at, p_actor, p_act, p_task_id, p_detail);
    INSERT INTO audit_entry (chain, seq, at, actor, act, task_id, detail, salt, content_hash, prev_hash, hash)
    VALUES (p_chain, v_seq, v_at, p_actor, p_act, p_task_id, p_detail, v_salt, v_content_hash, v_prev_hash,
        audit_link_hash(v_prev_hash, p_chain, v_seq, v_content_hash));
    RETURN v_seq;
END
$$;
COMMENT ON FUNCTION audit_append IS 'Appends one entry and returns its number. Entries of a chain are written one after the other, under a lock that is held until the transaction ends. Called by every change.';
REVOKE ALL ON FUNCTION audit_append FROM PUBLIC;

CREATE FUNCTION audit_append_each(p_chains TEXT[], p_actors TEXT[], p_act TEXT, p_task_ids UUID[], p_details TEXT[])
RETURNS INTEGER LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
-- Planning anew for each length of the lists takes longer than all the rest.
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_now TIMESTAMPTZ;
    v_entry audit_entry;
    v_before audit_entry;
    v_entries audit_entry[];
    v_count INTEGER := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('audit:' || chain, 0))
       FROM (SELECT DISTINCT chain FROM unnest(p_chains) AS given (chain) ORDER BY chain) AS ordered;
    v_now := clock_timestamp();
    -- Each as if it were the first of its chain; those behind it follow from the one before.
    FOR v_entry IN
        SELECT chain, coalesce(head.seq, 0) + 1, greatest(v_now, head.at), actor, p_act, task_id, detail, coalesce(head.hash, ''),
               NULL, salt, audit_content_hash(salt, greatest(v_now, head.at), actor, p_act, task_id, detail)
          FROM (SELECT *, gen_random_uuid() AS salt
                  FROM unnest(p_chains, p_actors, p_task_ids, p_details) WITH ORDINALITY AS list (chain, actor, task_id, detail, n)) AS given
          LEFT JOIN LATERAL (
               SELECT seq, hash, at FROM audit_entry WHERE audit_entry.chain = given.chain ORDER BY seq DESC LIMIT 1) AS head ON true
         ORDER BY chain, n
    LOOP
        IF v_entry.chain = v_before.chain THEN
            v_entry.seq := v_before.seq + 1;
            v_entry.prev_hash := v_before.hash;
        END IF;
        v_entry.hash := audit_link_hash(v_entry.prev_hash, v_entry.chain, v_entry.seq, v_entry.content_hash);
        v_count := v_count + 1;
        v_entries[v_count] := v_entry;
        v_before := v_entry;
    END LOOP;
    INSERT INTO audit_entry SELECT * FROM unnest(v_entries);
    RETURN v_count;
END
$$;
COMMENT ON FUNCTION audit_append_each IS 'Appends entries of one act to many chains, with the same outcome as audit_append for each in the order given, in one insert. Locks are taken in the order of the chains, so that no two transactions wait for each other. Called by intakes.';
REVOKE ALL ON FUNCTION audit_append_each FROM PUBLIC;

CREATE FUNCTION audit_seq_at(p_chain TEXT, p_at TIMESTAMPTZ) RETURNS BIGINT LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_low BIGINT := 0;
    v_high BIGINT;
    v_middle BIGINT;
    v_at TIMESTAMPTZ;
BEGIN
    SELECT seq INTO v_high FROM audit_entry WHERE chain = p_chain ORDER BY seq DESC LIMIT 1;
    WHILE v_low < coalesce(v_high, 0) LOOP
        v_middle := (v_low + v_high + 1) / 2;
        SELECT at INTO v_at FROM audit_entry WHERE chain = p_chain AND seq >= v_middle ORDER BY seq LIMIT 1;
        IF v_at <= p_at THEN v_low := v_middle; ELSE v_high := v_middle - 1; END IF;
    END LOOP;
    RETURN v_low;
END
$$;
COMMENT ON FUNCTION audit_seq_at IS 'The number of the last entry of a chain at or before a time; 0 if there is none. Called by audit_purge and by the audit page and export.';

CREATE FUNCTION audit_purge(p_chain TEXT, p_limit INTEGER) RETURNS INTEGER
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    v_days INTEGER;
    v_before TIMESTAMPTZ;
    v_from BIGINT;
    v_through BIGINT;
    v_emptied INTEGER;
BEGIN
    SELECT days INTO v_days FROM audit_retention WHERE scope IN (p_chain, '*') ORDER BY scope = '*' LIMIT 1;
    IF v_days IS NULL THEN RETURN 0; END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('audit:' || p_chain, 0));
    v_before := clock_timestamp() - make_interval(days => v_days);
    SELECT coalesce((SELECT purged_through FROM audit_chain WHERE chain = p_chain), 0) + 1 INTO v_from;
    v_through := least(audit_seq_at(p_chain, v_before), v_from + p_limit - 1);
    IF v_through < v_from THEN RETURN 0; END IF;
    UPDATE audit_entry SET actor = '', act = 'purged', task_id = NULL, detail = '{}', salt = NULL
     WHERE chain = p_chain AND seq BETWEEN v_from AND v_through;
    GET DIAGNOSTICS v_emptied = ROW_COUNT;
    INSERT INTO audit_chain (chain, purged_through) VALUES (p_chain, v_through)
    ON CONFLICT (chain) DO UPDATE SET purged_through = excluded.purged_through;
    PERFORM audit_append(p_chain, 'worker', 'audit.purged', NULL,
        format('{"before":"%s","days":%s,"from":%s,"through":%s}',
            to_char(v_before AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), v_days, v_from, v_through));
    RETURN v_emptied;
END
$$;
COMMENT ON FUNCTION audit_purge IS 'Empties the oldest entries of a chain that the retention no longer keeps, at most p_limit, appends an entry that says so, and returns how many. Called by the worker.';
REVOKE ALL ON FUNCTION audit_purge FROM PUBLIC;

CREATE FUNCTION audit_refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF NEW.actor = '' AND NEW.act = 'purged' AND NEW.task_id IS NULL AND NEW.detail = '{}' AND NEW.salt IS NULL
            AND NEW.content_hash IS NOT DISTINCT FROM OLD.content_hash
            AND (NEW.chain, NEW.seq, NEW.at, NEW.prev_hash, NEW.hash) = (OLD.chain, OLD.seq, OLD.at, OLD.prev_hash, OLD.hash) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'audit entries are never changed or removed' USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON FUNCTION audit_refuse IS 'Refuses every change of an entry, whoever asks, except that its content goes while its place and hashes stay. Called by the triggers of audit_entry.';
CREATE TRIGGER audit_entry_no_change BEFORE UPDATE OR DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_entry_no_truncate BEFORE TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();
