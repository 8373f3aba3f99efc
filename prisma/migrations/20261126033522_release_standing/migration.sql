CREATE FUNCTION release_standing(p_channel_id UUID, p_practice_id TEXT, p_atom TEXT, p_gate_id UUID, p_task_id UUID)
RETURNS TABLE (active BOOLEAN, entitled BOOLEAN, automatic BOOLEAN, stands BOOLEAN)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, public
-- Everything is found by its key; to plan it anew for each release takes longer than to look.
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    -- Whoever takes a right away holds one of these rows. Each statement here sees what was committed before it, so the last
    -- one sees what they did.
    PERFORM FROM channel WHERE id = p_channel_id FOR SHARE;
    PERFORM FROM practice WHERE id = p_practice_id FOR SHARE;
    PERFORM FROM person WHERE id IN (SELECT person_id FROM vote WHERE gate_id = p_gate_id AND answer = 'release')
      ORDER BY id FOR SHARE;
    RETURN QUERY
    SELECT p.status = 'active',
           EXISTS (
             SELECT FROM channel c JOIN channel_practice cp ON cp.channel_id = c.id AND cp.practice_id = p.id
              WHERE c.id = p_channel_id AND c.status = 'active' AND p_atom = ANY (c.atoms)
                AND EXISTS (SELECT FROM channel_key k WHERE k.channel_id = c.id AND k.revoked_at IS NULL
                               AND k.expires_at > clock_timestamp())),
           coalesce(g.auto_released, false),
           coalesce((SELECT count(*) > 0
                            AND count(*) FILTER (WHERE q.status = 'active'
                                  AND EXISTS (SELECT FROM person_role pr WHERE pr.person_id = q.id
                                                 AND pr.role = 'reviewer' AND pr.practice_id = p_practice_id))
                                >= least(count(*), coalesce(r.votes, 1))
                       FROM vote v JOIN person q ON q.id = v.person_id
                      WHERE v.gate_id = g.id AND v.answer = 'release'), false)
      FROM practice p
      LEFT JOIN gate g ON g.id = p_gate_id AND g.task_id = p_task_id AND g.practice_id = p.id
      LEFT JOIN vote_rule r ON r.practice_id = g.practice_id AND r.action = g.action AND r.risk = g.risk
     WHERE p.id = p_practice_id;
END
$$;
COMMENT ON FUNCTION release_standing IS 'Whether the practice is active and the channel entitled, whether the gate was released automatically, and whether enough of those who released it may still. Locks the channel, the practice and those people until the commit. Called when a submission is claimed and when it starts.';
