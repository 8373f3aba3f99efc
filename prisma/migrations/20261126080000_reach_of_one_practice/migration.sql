-- A call that names its practice needs to know of that one alone whether its key reaches it, and not of all that the
-- channel reaches. As in the migration "reach": ids alone, by the owner, and the same rows are read whatever is wrong with
-- the key. A practice is looked up only where the channel reaches it.

CREATE FUNCTION practice_of_key(p_key TEXT, p_hash BYTEA, p_practice TEXT, p_no_channel UUID) RETURNS TEXT
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
    RETURN coalesce((
        SELECT array_agg(p.id)::text
          FROM (SELECT p_key AS key_id, p_hash AS secret_hash) asked
          LEFT JOIN channel_key k ON k.id = asked.key_id AND k.secret_hash = asked.secret_hash AND k.revoked_at IS NULL
          JOIN channel c ON c.id = coalesce(k.channel_id, p_no_channel) AND c.status = 'active'
          JOIN LATERAL (SELECT practice_id FROM channel_practice WHERE channel_id = c.id AND practice_id = p_practice OFFSET 0) cp ON true
          JOIN practice p ON p.id = cp.practice_id AND p.status = 'active'), '{}');
END
$$;
COMMENT ON FUNCTION practice_of_key IS 'This practice, if it is active and the channel of this key reaches it; otherwise none. Called before a statement that answers one call of an agent which names its practice.';
REVOKE ALL ON FUNCTION practice_of_key FROM PUBLIC;

CREATE FUNCTION practices_of_keys_named(p_keys TEXT[], p_hashes BYTEA[], p_practices TEXT[], p_no_channel UUID) RETURNS TEXT
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
    RETURN coalesce((
        SELECT array_agg(DISTINCT p.id)::text
          FROM unnest(p_keys, p_hashes, p_practices) asked (key_id, secret_hash, practice_id)
          LEFT JOIN channel_key k ON k.id = asked.key_id AND k.secret_hash = asked.secret_hash AND k.revoked_at IS NULL
          JOIN channel c ON c.id = coalesce(k.channel_id, p_no_channel) AND c.status = 'active'
          JOIN LATERAL (SELECT cp.practice_id FROM channel_practice cp WHERE cp.channel_id = c.id AND cp.practice_id = asked.practice_id OFFSET 0) cp ON true
          JOIN practice p ON p.id = cp.practice_id AND p.status = 'active'), '{}');
END
$$;
COMMENT ON FUNCTION practices_of_keys_named IS 'The same for many keys at once, each with the practice it names. Called before a statement that answers many calls.';
REVOKE ALL ON FUNCTION practices_of_keys_named FROM PUBLIC;
