-- A process with another pepper than the one the keys of channels were made with refuses every key, and nothing would say
-- why.

CREATE TABLE secret_fingerprint (
  -- the setting that holds the secret
  name TEXT NOT NULL CONSTRAINT secret_fingerprint_pkey PRIMARY KEY CHECK (name = 'CHANNEL_KEY_PEPPER'),
  -- a keyed hash of a fixed text under the secret, in hex
  fingerprint TEXT NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE secret_fingerprint IS 'Which secret stored values were made with, without the secret. A process with another one refuses to start.';
