-- What somebody has besides the password. A passkey's private half never leaves its device; here is what checks it.
CREATE TABLE passkey (
  -- the credential's id, base64url
  id TEXT NOT NULL CONSTRAINT passkey_pkey PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 1400),
  person_id UUID NOT NULL CONSTRAINT passkey_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  name TEXT NOT NULL,
  public_key BYTEA NOT NULL,
  counter BIGINT NOT NULL,
  transports TEXT[] NOT NULL,
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  last_used_at TIMESTAMPTZ(6)
);
-- serves: a person's passkeys
CREATE INDEX passkey_person_id_idx ON passkey (person_id);

-- An authenticator app's secret, sealed; it counts once a code of it was shown.
CREATE TABLE totp (
  person_id UUID NOT NULL CONSTRAINT totp_pkey PRIMARY KEY
    CONSTRAINT totp_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  secret BYTEA NOT NULL,
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  confirmed_at TIMESTAMPTZ(6),
  -- codes of this step of 30 s and of those before it are spent
  last_time_step INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE recovery_code (
  person_id UUID NOT NULL CONSTRAINT recovery_code_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- the code's first group, by which its row is found; argon2id of the rest
  tag TEXT NOT NULL,
  hash TEXT NOT NULL,
  made_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  used_at TIMESTAMPTZ(6),
  CONSTRAINT recovery_code_pkey PRIMARY KEY (person_id, tag)
);

-- Somebody whose password was right and who has a second factor to show, in the one browser that has the secret.
CREATE TABLE sign_in_ticket (
  hash BYTEA NOT NULL CONSTRAINT sign_in_ticket_pkey PRIMARY KEY,
  person_id UUID NOT NULL CONSTRAINT sign_in_ticket_person_id_fkey REFERENCES person (id) ON DELETE CASCADE ON UPDATE CASCADE,
  expires_at TIMESTAMPTZ(6) NOT NULL
);
-- serves: a person's tickets, and what is over
CREATE INDEX sign_in_ticket_person_id_idx ON sign_in_ticket (person_id);

-- What a passkey is asked to sign, once, by whom it was asked for.
CREATE TABLE passkey_challenge (
  challenge TEXT NOT NULL CONSTRAINT passkey_challenge_pkey PRIMARY KEY,
  -- a browser or a session, and what for
  asked_by TEXT NOT NULL,
  expires_at TIMESTAMPTZ(6) NOT NULL
);
-- serves: forgetting what is over
CREATE INDEX passkey_challenge_expires_at_idx ON passkey_challenge (expires_at);

-- When a second factor was last shown in this session; a password alone leaves it empty.
ALTER TABLE session ADD COLUMN second_factor_at TIMESTAMPTZ(6);
