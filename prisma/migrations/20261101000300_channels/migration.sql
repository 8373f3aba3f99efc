-- Channels: an agent's access, its keys, permissions and limits, and the log of its calls.

CREATE TABLE channel (
  id UUID NOT NULL CONSTRAINT channel_pkey PRIMARY KEY,
  name TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
  -- its permissions, as the wire names them
  atoms TEXT[] NOT NULL,
  -- IP allowlist; empty for any address
  networks INET[] NOT NULL DEFAULT '{}',
  -- rate limits over all processes; empty for none
  calls_per_second INTEGER CHECK (calls_per_second BETWEEN 1 AND 10000),
  calls_at_once INTEGER CHECK (calls_at_once BETWEEN 1 AND 1000),
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  -- who answers for it, and therefore cannot release what it asks for
  owner_id UUID CONSTRAINT channel_owner_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE
);
COMMENT ON TABLE channel IS 'An agent''s access. Never deleted.';

CREATE TABLE channel_version (
  channel_id UUID NOT NULL,
  version INTEGER NOT NULL CHECK (version > 0),
  at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  actor TEXT NOT NULL,
  act TEXT NOT NULL,
  -- all of it after the change; the page compares each version with the one before
  state JSONB NOT NULL,
  CONSTRAINT channel_version_pkey PRIMARY KEY (channel_id, version),
  CONSTRAINT channel_version_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channel (id) ON DELETE RESTRICT ON UPDATE CASCADE
);
COMMENT ON TABLE channel_version IS 'A channel after each change. The application only inserts.';

CREATE TABLE channel_practice (
  channel_id UUID NOT NULL CONSTRAINT channel_practice_channel_id_fkey REFERENCES channel (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL CONSTRAINT channel_practice_practice_id_fkey REFERENCES practice (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT channel_practice_pkey PRIMARY KEY (channel_id, practice_id)
);
COMMENT ON TABLE channel_practice IS 'Which practices a channel has access to.';
-- serves: the channels of a practice
CREATE INDEX channel_practice_practice_id_idx ON channel_practice (practice_id);

CREATE TABLE channel_key (
  -- the public part of the key, which finds its row
  id TEXT NOT NULL CONSTRAINT channel_key_pkey PRIMARY KEY,
  channel_id UUID NOT NULL CONSTRAINT channel_key_channel_id_fkey REFERENCES channel (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- an API key, or a client that signs assertions (RFC 7523)
  kind TEXT NOT NULL CHECK (kind IN ('key', 'client')),
  -- an HMAC under the operator's pepper: of a key's secret, or of a client's generation, which its tokens name
  secret_hash BYTEA NOT NULL,
  last_four TEXT NOT NULL,
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  expires_at TIMESTAMPTZ(6) NOT NULL,
  revoked_at TIMESTAMPTZ(6),
  -- written every few seconds, never by the call itself
  last_used_at TIMESTAMPTZ(6),
  -- of a client: its public keys, and the URL they are fetched from
  jwks TEXT,
  jwks_url TEXT,
  -- of a client: tokens of earlier generations are no longer accepted
  generation INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT channel_key_jwks CHECK ((kind = 'client') = (jwks IS NOT NULL))
);
COMMENT ON TABLE channel_key IS 'A current or past API key of a channel, or its client. Only a hash of the secret is kept.';
-- serves: a channel has one client at most
CREATE UNIQUE INDEX channel_key_channel_id_client_key ON channel_key (channel_id) WHERE kind = 'client' AND revoked_at IS NULL;
-- serves: a channel's keys on its page
CREATE INDEX channel_key_channel_id_idx ON channel_key (channel_id);

CREATE TABLE client_assertion (
  client_id TEXT NOT NULL CONSTRAINT client_assertion_client_id_fkey REFERENCES channel_key (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  jti_hash BYTEA NOT NULL,
  expires_at TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT client_assertion_pkey PRIMARY KEY (client_id, jti_hash)
);
COMMENT ON TABLE client_assertion IS 'Used assertions of clients. The primary key decides which of two uses at once is the first.';
-- serves: deleting those that have expired
CREATE INDEX client_assertion_expires_at_idx ON client_assertion (expires_at);

CREATE TABLE channel_minute (
  -- the nil id has the calls whose key belongs to no channel
  channel_id UUID NOT NULL,
  minute TIMESTAMPTZ(0) NOT NULL,
  calls INTEGER NOT NULL,
  denied INTEGER NOT NULL,
  CONSTRAINT channel_minute_pkey PRIMARY KEY (channel_id, minute)
);
COMMENT ON TABLE channel_minute IS 'Calls and denials of a channel by the minute.';
-- serves: deleting old ones
CREATE INDEX channel_minute_minute_idx ON channel_minute (minute);

CREATE TABLE channel_denial (
  id UUID NOT NULL CONSTRAINT channel_denial_pkey PRIMARY KEY,
  channel_id UUID NOT NULL CONSTRAINT channel_denial_channel_id_fkey REFERENCES channel (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  at TIMESTAMPTZ(6) NOT NULL,
  -- the true reason, which the caller is not told
  rule TEXT NOT NULL,
  -- what the call was about: ids only
  atom TEXT,
  practice_id TEXT,
  task_id UUID,
  key_id TEXT,
  address INET
);
COMMENT ON TABLE channel_denial IS 'The latest denied calls of a channel, each with the true reason.';
-- serves: the latest denials on a channel's page, and deleting the others
CREATE INDEX channel_denial_channel_id_at_id_idx ON channel_denial (channel_id, at, id);

-- The next two are unlogged: after a crash every channel starts anew.

CREATE UNLOGGED TABLE call_allowance (
  channel_id UUID NOT NULL CONSTRAINT call_allowance_pkey PRIMARY KEY,
  -- how many calls are left; refills by calls_per_second and holds one second's worth
  calls DOUBLE PRECISION NOT NULL,
  -- how many the last process took
  taken INTEGER NOT NULL,
  at TIMESTAMPTZ(6) NOT NULL
);
COMMENT ON TABLE call_allowance IS 'The rate limit of a channel over all processes, each of which takes some calls in advance.';

CREATE UNLOGGED TABLE call_room (
  channel_id UUID NOT NULL CONSTRAINT call_room_pkey PRIMARY KEY,
  -- {process: [calls, until]}, in one row so that it decides
  held JSONB NOT NULL
);
COMMENT ON TABLE call_room IS 'How many concurrent calls of a channel each process may run.';
