-- A client that proves itself by a signed assertion (RFC 7523): a row among the keys, so that its tokens are admitted by
-- the same look-up and end with it. Its hash is of a generation that its tokens name.
ALTER TABLE channel_key DROP CONSTRAINT channel_key_kind_check;
ALTER TABLE channel_key ADD CONSTRAINT channel_key_kind_check CHECK (kind IN ('sha256', 'key', 'client'));
ALTER TABLE channel_key ADD COLUMN jwks TEXT;
ALTER TABLE channel_key ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channel_key ADD CONSTRAINT channel_key_jwks CHECK ((kind = 'client') = (jwks IS NOT NULL));
-- serves: a channel has one client at most
CREATE UNIQUE INDEX channel_key_channel_id_client_key ON channel_key (channel_id) WHERE kind = 'client' AND revoked_at IS NULL;

-- Assertions that were used; the row decides which of two uses at once is the first.
CREATE TABLE client_assertion (
  client_id TEXT NOT NULL CONSTRAINT client_assertion_client_id_fkey REFERENCES channel_key (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  jti_hash BYTEA NOT NULL,
  expires_at TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT client_assertion_pkey PRIMARY KEY (client_id, jti_hash)
);
-- serves: forgetting those that could not be used again anyway
CREATE INDEX client_assertion_expires_at_idx ON client_assertion (expires_at);
