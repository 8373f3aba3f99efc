-- Entries of one act for many chains at once, for what many ask for together: one lock and one look for the head of each
-- chain, and one insertion of all. The chains come out as audit_append would make them entry by entry, in the order given.
-- Locks are taken in the chains' order, so that no two transactions wait for each other.
CREATE FUNCTION audit_append_each(p_chains TEXT[], p_actors TEXT[], p_act TEXT, p_task_ids UUID[], p_details TEXT[])
RETURNS INTEGER LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
-- To plan for each length of a list anew takes longer than all the rest.
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

REVOKE ALL ON FUNCTION audit_append_each(TEXT[], TEXT[], TEXT, UUID[], TEXT[]) FROM PUBLIC;

-- As volatile as what it is made of, or it is never written into the statement that calls it.
ALTER FUNCTION audit_link_hash(TEXT, TEXT, BIGINT, TEXT) STABLE;
