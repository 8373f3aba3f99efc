-- The content of an entry gets a hash of its own, and the link covers that hash instead of the content. So the content
-- can go (retention), or be left out of an export, while the chain still holds. The salt goes with the content: without
-- it nobody can guess a short content from its hash. Entries written before have neither; their link covers the content.
ALTER TABLE audit_entry ADD COLUMN salt UUID, ADD COLUMN content_hash TEXT;

CREATE FUNCTION audit_content_hash(p_salt UUID, p_at TIMESTAMPTZ, p_actor TEXT, p_act TEXT, p_task_id UUID, p_detail TEXT)
RETURNS TEXT LANGUAGE sql STABLE AS $$
    SELECT encode(sha256(convert_to(concat_ws(E'\n', 'audit-content-2', p_salt::text,
        to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), p_actor, p_act, coalesce(p_task_id::text, '-'), p_detail), 'UTF8')), 'hex')
$$;

CREATE FUNCTION audit_link_hash(p_prev_hash TEXT, p_chain TEXT, p_seq BIGINT, p_content_hash TEXT)
RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
    SELECT encode(sha256(convert_to(concat_ws(E'\n', 'audit-link-2', p_prev_hash, p_chain, p_seq::text, p_content_hash), 'UTF8')), 'hex')
$$;

-- Times never go back within a chain, whatever the clock does, so that a time can be found by its entry's number.
CREATE OR REPLACE FUNCTION "audit_append"("p_chain" TEXT, "p_actor" TEXT, "p_act" TEXT, "p_task_id" UUID, "p_detail" TEXT)
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

-- The one change an entry may undergo: its content goes, its place and its hashes stay.
CREATE OR REPLACE FUNCTION "audit_refuse"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
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

-- What is known of a chain beside it: how far it was verified, exported as a signed head, and emptied. The folder of
-- heads and the chain itself are the proof; this is what pages show, and where the next round goes on.
CREATE TABLE audit_chain (
    chain TEXT NOT NULL CONSTRAINT audit_chain_pkey PRIMARY KEY,
    verified_seq BIGINT NOT NULL DEFAULT 0,
    verified_hash TEXT NOT NULL DEFAULT '',
    verified_at TIMESTAMPTZ(6),
    bad_seq BIGINT,
    problem TEXT,
    exported_seq BIGINT NOT NULL DEFAULT 0,
    exported_at TIMESTAMPTZ(6),
    purged_through BIGINT NOT NULL DEFAULT 0
);

-- For how long the content of entries is kept: by chain, or `*` for every chain without a line of its own. No line, for ever.
CREATE TABLE audit_retention (
    scope TEXT NOT NULL CONSTRAINT audit_retention_pkey PRIMARY KEY,
    days INTEGER NOT NULL CHECK (days BETWEEN 365 AND 36500)
);

-- The number of the last entry of a chain that was written at this time or before; 0 where there is none.
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

-- Empties the oldest entries of a chain that the policy no longer keeps, at most so many, and says so in the chain.
-- The application may call this and has no other way to change an entry: what is younger than the policy stays.
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

REVOKE ALL ON FUNCTION audit_purge(TEXT, INTEGER) FROM PUBLIC;
