-- How a channel was left by each change of it; a page compares each with the one before.
CREATE TABLE channel_version (
  channel_id UUID NOT NULL,
  version INT NOT NULL CHECK (version > 0),
  at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  actor TEXT NOT NULL,
  act TEXT NOT NULL,
  state JSONB NOT NULL,
  CONSTRAINT channel_version_pkey PRIMARY KEY (channel_id, version),
  CONSTRAINT channel_version_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channel (id) ON DELETE RESTRICT ON UPDATE CASCADE
);

-- What stands already is the first version, so that the first change can be compared with it.
INSERT INTO channel_version (channel_id, version, actor, act, state)
SELECT c.id, 1, 'service', 'settings.found', jsonb_build_object(
         'name', c.name, 'status', c.status, 'owner', c.owner_id,
         'callsPerSecond', c.calls_per_second, 'callsAtOnce', c.calls_at_once,
         'atoms', (SELECT coalesce(jsonb_object_agg(atom, true), '{}') FROM unnest(c.atoms) atom),
         'practices', (SELECT coalesce(jsonb_object_agg(p.practice_id, true), '{}') FROM channel_practice p WHERE p.channel_id = c.id),
         'networks', (SELECT coalesce(jsonb_object_agg(network::text, true), '{}') FROM unnest(c.networks) network))
  FROM channel c;
