-- The practices an agent's key reaches are read before any practice is known, so the rows that say it cannot be behind
-- the second wall for this one look-up. Both functions run as the owner, answer practice ids alone, and read the same
-- rows whatever is wrong with a key or a practice, so that it takes no less time. PL/pgSQL keeps their plans. What they
-- answer is the text of a list, as the setting app.practices holds it.

CREATE FUNCTION practices_of_key(p_key TEXT, p_hash BYTEA, p_no_channel UUID) RETURNS TEXT
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
    RETURN coalesce((
        SELECT array_agg(p.id)::text
          FROM (SELECT p_key AS key_id, p_hash AS secret_hash) asked
          LEFT JOIN channel_key k ON k.id = asked.key_id AND k.secret_hash = asked.secret_hash AND k.revoked_at IS NULL
          JOIN channel c ON c.id = coalesce(k.channel_id, p_no_channel) AND c.status = 'active'
          JOIN channel_practice cp ON cp.channel_id = c.id
          JOIN practice p ON p.id = cp.practice_id AND p.status = 'active'), '{}');
END
$$;
COMMENT ON FUNCTION practices_of_key IS 'The active practices that the channel of this key reaches; a key with another''s secret hash reaches none. Called before a statement that answers one call of an agent.';
REVOKE ALL ON FUNCTION practices_of_key FROM PUBLIC;

CREATE FUNCTION practices_of_keys(p_keys TEXT[], p_hashes BYTEA[], p_no_channel UUID) RETURNS TEXT
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
    RETURN coalesce((
        SELECT array_agg(DISTINCT p.id)::text
          FROM unnest(p_keys, p_hashes) asked (key_id, secret_hash)
          LEFT JOIN channel_key k ON k.id = asked.key_id AND k.secret_hash = asked.secret_hash AND k.revoked_at IS NULL
          JOIN channel c ON c.id = coalesce(k.channel_id, p_no_channel) AND c.status = 'active'
          JOIN channel_practice cp ON cp.channel_id = c.id
          JOIN practice p ON p.id = cp.practice_id AND p.status = 'active'), '{}');
END
$$;
COMMENT ON FUNCTION practices_of_keys IS 'The same for many keys at once, all together. Called before a statement that answers many calls.';
REVOKE ALL ON FUNCTION practices_of_keys FROM PUBLIC;
