-- Somebody who was invited cannot sign in until they chose a password.
ALTER TABLE person DROP CONSTRAINT person_status_check;
ALTER TABLE person ADD CONSTRAINT person_status_check CHECK (status IN ('invited', 'active', 'disabled'));

-- The one link by which somebody may choose their password; a newer one takes its place, and its use removes it.
CREATE TABLE password_link (
  person_id UUID NOT NULL CONSTRAINT password_link_pkey PRIMARY KEY
    CONSTRAINT password_link_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  token_hash BYTEA NOT NULL,
  expires_at TIMESTAMPTZ(6) NOT NULL
);
-- serves: opening a link
CREATE UNIQUE INDEX password_link_token_hash_key ON password_link (token_hash);

-- Where a session was begun, for its person and their admins to know it again.
ALTER TABLE session ADD COLUMN address INET, ADD COLUMN user_agent TEXT;
