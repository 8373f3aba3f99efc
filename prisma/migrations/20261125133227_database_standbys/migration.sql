-- The state of a standby is shown to roles with pg_read_all_stats, which also shows the statements of everybody. Only the
-- owner needs that role; the application sees these three columns and nothing else.
CREATE FUNCTION database_standbys() RETURNS TABLE (sync_state TEXT, standbys INTEGER, lag_s DOUBLE PRECISION)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT coalesce(sync_state, 'not-shown'), count(*)::int, coalesce(max(extract(epoch FROM replay_lag)), 0)::float8
    FROM pg_stat_replication GROUP BY 1
$$;
COMMENT ON FUNCTION database_standbys() IS 'Standbys by how they are replicated, and how far the slowest is behind. The state is not-shown unless the owner has pg_read_all_stats.';
