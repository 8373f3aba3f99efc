-- When a key last let a call in; written every few seconds, never by the call itself.
ALTER TABLE channel_key ADD COLUMN last_used_at TIMESTAMPTZ(6);

-- Calls and denials of a channel by the minute; the nil channel has the calls whose key no channel has.
CREATE TABLE channel_minute (
  channel_id UUID NOT NULL,
  minute TIMESTAMPTZ(0) NOT NULL,
  calls INTEGER NOT NULL,
  denied INTEGER NOT NULL,
  CONSTRAINT channel_minute_pkey PRIMARY KEY (channel_id, minute)
);
-- serves: forgetting what is old
CREATE INDEX channel_minute_minute_idx ON channel_minute (minute);

-- The newest denials of a channel with the true reason, which no caller learns. Ids and rules only.
CREATE TABLE channel_denial (
  id UUID NOT NULL CONSTRAINT channel_denial_pkey PRIMARY KEY,
  channel_id UUID NOT NULL CONSTRAINT channel_denial_channel_id_fkey REFERENCES channel (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  at TIMESTAMPTZ(6) NOT NULL,
  rule TEXT NOT NULL,
  atom TEXT,
  practice_id TEXT,
  task_id UUID,
  key_id TEXT,
  address INET
);
-- serves: the newest denials on a channel's page, and forgetting the others
CREATE INDEX channel_denial_channel_id_at_id_idx ON channel_denial (channel_id, at, id);
