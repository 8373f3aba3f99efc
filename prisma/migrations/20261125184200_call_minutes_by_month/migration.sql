-- Calls by the minute are kept in a partition for each month, so that old ones go by dropping a table and not row by row.
-- The table there is becomes the first partition, while the program goes on: nothing is copied, and what has to be read is
-- read before the lock.

DO $$
BEGIN
  EXECUTE format('ALTER TABLE channel_minute ADD CONSTRAINT channel_minute_first_until CHECK (minute < %L) NOT VALID',
    to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months', 'YYYY-MM-DD') || ' 00:00:00+00');
END
$$;

ALTER TABLE channel_minute VALIDATE CONSTRAINT channel_minute_first_until;

-- In one statement, so that nobody sees the time between. The check says already what its place demands, so no row is
-- read. Whoever may use the table may use the one that takes its name.
DO $$
DECLARE
  v_right RECORD;
BEGIN
  ALTER TABLE channel_minute RENAME TO channel_minute_first;
  ALTER TABLE channel_minute_first RENAME CONSTRAINT channel_minute_pkey TO channel_minute_first_pkey;
  ALTER INDEX channel_minute_minute_idx RENAME TO channel_minute_first_minute_idx;
  CREATE TABLE channel_minute (
    -- the nil id has the calls whose key belongs to no channel
    channel_id UUID NOT NULL,
    minute TIMESTAMPTZ(0) NOT NULL,
    calls INTEGER NOT NULL,
    denied INTEGER NOT NULL,
    CONSTRAINT channel_minute_pkey PRIMARY KEY (channel_id, minute)
  ) PARTITION BY RANGE (minute);
  EXECUTE format('ALTER TABLE channel_minute ATTACH PARTITION channel_minute_first FOR VALUES FROM (MINVALUE) TO (%L)',
    to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months', 'YYYY-MM-DD') || ' 00:00:00+00');
  FOR v_right IN
    SELECT a.grantee::regrole AS role, a.privilege_type AS name
      FROM pg_class c, aclexplode(c.relacl) a
     WHERE c.oid = 'channel_minute_first'::regclass AND a.grantee NOT IN (0, c.relowner)
  LOOP
    EXECUTE format('GRANT %s ON channel_minute TO %s', v_right.name, v_right.role);
    EXECUTE format('REVOKE %s ON channel_minute_first FROM %s', v_right.name, v_right.role);
  END LOOP;
END
$$;

COMMENT ON TABLE channel_minute IS 'Calls and denials of a channel by the minute, in a partition for each month that the worker adds and drops.';

CREATE FUNCTION partition_ends(p_table REGCLASS) RETURNS TABLE (name REGCLASS, ends TIMESTAMPTZ)
LANGUAGE sql STABLE SET search_path = pg_catalog, public AS $$
  SELECT c.oid::regclass, substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([^'']+)''\)$')::timestamptz
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = p_table
$$;
COMMENT ON FUNCTION partition_ends IS 'The partitions of a table that is divided by time, and when each ends. Called by keep_partitions and partitions_left.';

CREATE FUNCTION partitions_left() RETURNS INTERVAL LANGUAGE sql STABLE SET search_path = pg_catalog, public AS $$
  SELECT min(last.ends) - clock_timestamp()
    FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid AND c.relnamespace = 'public'::regnamespace,
         LATERAL (SELECT coalesce(max(ends), clock_timestamp()) AS ends FROM partition_ends(c.oid)) last
$$;
COMMENT ON FUNCTION partitions_left IS 'For how long every table that is divided by time has partitions. Read with the figures of the service.';

CREATE FUNCTION keep_partitions() RETURNS VOID
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public SET lock_timeout = '250ms' AS $$
DECLARE
  v_ends TIMESTAMPTZ;
  v_month TIMESTAMP;
  v_name TEXT;
  v_old REGCLASS;
BEGIN
  -- One process at a time; the others leave it to that one.
  IF NOT pg_try_advisory_xact_lock(hashtext('keep_partitions')) THEN
    RETURN;
  END IF;
  SELECT max(p.ends) INTO v_ends FROM partition_ends('channel_minute') p;
  FOR v_month IN
    SELECT m FROM generate_series(date_trunc('month', now() AT TIME ZONE 'UTC'),
                                  date_trunc('month', now() AT TIME ZONE 'UTC') + interval '3 months', interval '1 month') m
     WHERE v_ends IS NULL OR m AT TIME ZONE 'UTC' >= v_ends
  LOOP
    v_name := 'channel_minute_' || to_char(v_month, 'YYYY_MM');
    -- Made apart and attached, which lets everybody go on; made as a partition it would lock them out.
    EXECUTE format('CREATE TABLE %I (LIKE channel_minute INCLUDING ALL)', v_name);
    EXECUTE format('COMMENT ON TABLE %I IS %L', v_name, 'A month of channel_minute.');
    EXECUTE format('ALTER TABLE channel_minute ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', v_name,
      to_char(v_month, 'YYYY-MM-DD') || ' 00:00:00+00',
      to_char(v_month + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00');
  END LOOP;
  FOR v_old IN
    SELECT p.name FROM partition_ends('channel_minute') p WHERE p.ends < now() - interval '31 days'
  LOOP
    EXECUTE format('ALTER TABLE channel_minute DETACH PARTITION %s', v_old);
    EXECUTE format('DROP TABLE %s', v_old);
  END LOOP;
END
$$;
COMMENT ON FUNCTION keep_partitions IS 'Adds the partitions of the next three months, and drops those whose last row is older than 31 days. Gives up where it waits for a lock, for the next round. Called by the worker.';

SELECT keep_partitions();
