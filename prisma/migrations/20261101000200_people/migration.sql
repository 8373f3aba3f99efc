-- Reviewers, admins and auditors: their roles, how they sign in, and their sessions.

CREATE TABLE person (
  id UUID NOT NULL CONSTRAINT person_pkey PRIMARY KEY,
  email TEXT NOT NULL CHECK (email = lower(email)),
  name TEXT NOT NULL,
  -- argon2id; empty until they choose one
  password_hash TEXT,
  -- roles held over every practice, later ones included; never reviewer
  everywhere TEXT[] NOT NULL DEFAULT '{}' CHECK (everywhere <@ ARRAY['admin', 'auditor']),
  -- those of them that come from a group of the identity provider
  everywhere_by_group TEXT[] NOT NULL DEFAULT '{}' CHECK (everywhere_by_group <@ ARRAY['admin', 'auditor']),
  -- an invited person cannot sign in until they choose a password
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('invited', 'active', 'disabled')),
  -- how they are notified
  mail TEXT NOT NULL DEFAULT 'at-once' CHECK (mail IN ('at-once', 'digest', 'off')),
  -- whether single characters are shortcuts
  single_keys BOOLEAN NOT NULL DEFAULT true,
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  -- the admin whose link they last came in by; empty if it was the operator. Two people let in by one admin may be one.
  let_in_by UUID CONSTRAINT person_let_in_by_fkey REFERENCES person (id) ON DELETE RESTRICT
);
COMMENT ON TABLE person IS 'A reviewer, admin or auditor. Never deleted.';
-- serves: sign-in
CREATE UNIQUE INDEX person_email_key ON person (email);

CREATE TABLE person_role (
  person_id UUID NOT NULL CONSTRAINT person_role_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL CONSTRAINT person_role_practice_id_fkey REFERENCES practice (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('reviewer', 'admin', 'auditor')),
  -- given by an admin, by a group of the identity provider, or by both; it goes when neither gives it any more
  by_hand BOOLEAN NOT NULL DEFAULT true,
  by_group BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT person_role_pkey PRIMARY KEY (person_id, role, practice_id),
  CONSTRAINT person_role_held_check CHECK (by_hand OR by_group)
);
COMMENT ON TABLE person_role IS 'A role somebody has in one practice.';
-- serves: the reviewers of a practice, and its other people
CREATE INDEX person_role_practice_id_role_idx ON person_role (practice_id, role);

CREATE TABLE group_role (
  id UUID NOT NULL CONSTRAINT group_role_pkey PRIMARY KEY,
  issuer TEXT NOT NULL,
  group_name TEXT NOT NULL CONSTRAINT group_role_group_name_length CHECK (length(group_name) BETWEEN 1 AND 255),
  role TEXT NOT NULL CHECK (role IN ('reviewer', 'admin', 'auditor')),
  -- empty for every practice
  practice_id TEXT CONSTRAINT group_role_practice_id_fkey REFERENCES practice (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- the admin who set it, to whom it gives nothing; empty if it was the operator
  made_by UUID CONSTRAINT group_role_made_by_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT group_role_reviewer_check CHECK (role <> 'reviewer' OR practice_id IS NOT NULL)
);
COMMENT ON TABLE group_role IS 'The role that a group of the identity provider gives, in one practice or in all.';
-- serves: a group gives a role in a practice once
CREATE UNIQUE INDEX group_role_once_key ON group_role (issuer, group_name, role, practice_id);
-- serves: and in all practices once
CREATE UNIQUE INDEX group_role_everywhere_key ON group_role (issuer, group_name, role) WHERE practice_id IS NULL;

CREATE TABLE person_identity (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  person_id UUID NOT NULL CONSTRAINT person_identity_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  -- the groups the provider named at the last sign-in
  groups TEXT[] NOT NULL DEFAULT '{}',
  CONSTRAINT person_identity_pkey PRIMARY KEY (issuer, subject),
  CONSTRAINT person_identity_lengths CHECK (length(issuer) BETWEEN 1 AND 500 AND length(subject) BETWEEN 1 AND 255)
);
COMMENT ON TABLE person_identity IS 'Who a person is to an OpenID Connect provider. An email address never links an account.';
-- serves: a person is one subject of a provider at most
CREATE UNIQUE INDEX person_identity_person_id_issuer_key ON person_identity (person_id, issuer);

CREATE TABLE session (
  id UUID NOT NULL CONSTRAINT session_pkey PRIMARY KEY,
  person_id UUID NOT NULL CONSTRAINT session_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- all by the database's clock, which also judges their age
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  seen_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  expires_at TIMESTAMPTZ(6) NOT NULL,
  revoked_at TIMESTAMPTZ(6),
  -- when the person last authenticated: at sign-in, and again where a release requires it
  proved_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  -- when a second factor was last shown; empty after a password alone
  second_factor_at TIMESTAMPTZ(6),
  -- the identity provider it started with; empty if it was a password
  issuer TEXT,
  -- where it started, so that its person and their admins recognize it
  address INET,
  user_agent TEXT
);
COMMENT ON TABLE session IS 'A signed-in browser.';
-- serves: a person's sessions, to list and to end them
CREATE INDEX session_person_id_idx ON session (person_id);

CREATE TABLE password_link (
  person_id UUID NOT NULL CONSTRAINT password_link_pkey PRIMARY KEY
    CONSTRAINT password_link_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  token_hash BYTEA NOT NULL,
  expires_at TIMESTAMPTZ(6) NOT NULL,
  -- the admin who gave it, who must still be allowed to when it is used; empty if it was the operator
  given_by UUID CONSTRAINT password_link_given_by_fkey REFERENCES person (id) ON DELETE RESTRICT
);
COMMENT ON TABLE password_link IS 'The one link with which a person may choose a password. A newer one replaces it, its use deletes it.';
-- serves: opening a link
CREATE UNIQUE INDEX password_link_token_hash_key ON password_link (token_hash);

CREATE TABLE passkey (
  -- the credential's id, base64url
  id TEXT NOT NULL CONSTRAINT passkey_pkey PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 1400),
  person_id UUID NOT NULL CONSTRAINT passkey_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  name TEXT NOT NULL,
  public_key BYTEA NOT NULL,
  -- the authenticator's signature counter
  counter BIGINT NOT NULL,
  transports TEXT[] NOT NULL,
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  last_used_at TIMESTAMPTZ(6)
);
COMMENT ON TABLE passkey IS 'A person''s passkey. Its private half never leaves the device.';
-- serves: a person's passkeys
CREATE INDEX passkey_person_id_idx ON passkey (person_id);

CREATE TABLE used_passkey_challenge (
  challenge TEXT NOT NULL CONSTRAINT used_passkey_challenge_pkey PRIMARY KEY,
  -- from then on it is refused without this row
  until TIMESTAMPTZ(6) NOT NULL
);
COMMENT ON TABLE used_passkey_challenge IS 'A challenge that a passkey has signed, so that it is accepted once.';
-- serves: deleting expired ones
CREATE INDEX used_passkey_challenge_until_idx ON used_passkey_challenge (until);

CREATE TABLE totp (
  person_id UUID NOT NULL CONSTRAINT totp_pkey PRIMARY KEY
    CONSTRAINT totp_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- sealed
  secret BYTEA NOT NULL,
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  -- it counts from here: a code of it was shown
  confirmed_at TIMESTAMPTZ(6),
  -- codes of this 30-second step and of earlier ones are spent
  last_time_step INTEGER NOT NULL DEFAULT 0
);
COMMENT ON TABLE totp IS 'A person''s authenticator app.';

CREATE TABLE recovery_code (
  person_id UUID NOT NULL CONSTRAINT recovery_code_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- the first group of the code, which finds its row
  tag TEXT NOT NULL,
  -- argon2id of the rest
  hash TEXT NOT NULL,
  made_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  used_at TIMESTAMPTZ(6),
  CONSTRAINT recovery_code_pkey PRIMARY KEY (person_id, tag)
);
COMMENT ON TABLE recovery_code IS 'Ten codes, each of which replaces the second factor once.';

CREATE TABLE sign_in_ticket (
  -- of the secret that one browser keeps
  hash BYTEA NOT NULL CONSTRAINT sign_in_ticket_pkey PRIMARY KEY,
  person_id UUID NOT NULL CONSTRAINT sign_in_ticket_person_id_fkey REFERENCES person (id) ON DELETE CASCADE ON UPDATE CASCADE,
  expires_at TIMESTAMPTZ(6) NOT NULL,
  -- the identity provider that took the first step; empty if it was a password
  issuer TEXT
);
COMMENT ON TABLE sign_in_ticket IS 'A sign-in whose first step succeeded and whose second factor is still due.';
-- serves: a person's tickets
CREATE INDEX sign_in_ticket_person_id_idx ON sign_in_ticket (person_id);

CREATE TABLE known_device (
  person_id UUID NOT NULL CONSTRAINT known_device_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT,
  -- of what the browser keeps; it authenticates nobody
  hash BYTEA NOT NULL,
  seen_at TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT known_device_pkey PRIMARY KEY (person_id, hash)
);
COMMENT ON TABLE known_device IS 'A browser somebody has signed in with. Its attempts are counted apart, so that strangers cannot lock the person out.';
-- serves: whether anybody has signed in with a device
CREATE INDEX known_device_hash_idx ON known_device (hash);

CREATE TABLE sign_in_failure (
  -- an account, a network, a device or a session, or an address over all accounts
  subject TEXT NOT NULL CONSTRAINT sign_in_failure_pkey PRIMARY KEY,
  count INTEGER NOT NULL,
  last_at TIMESTAMPTZ(6) NOT NULL
);
COMMENT ON TABLE sign_in_failure IS 'Consecutive failed attempts to sign in. Forgotten after a day.';

-- No foreign key: a refusal must not wait for a lock on the person's row.
CREATE TABLE person_denial (
  person_id UUID NOT NULL CONSTRAINT person_denial_pkey PRIMARY KEY,
  count INTEGER NOT NULL,
  first_at TIMESTAMPTZ(6) NOT NULL,
  last_at TIMESTAMPTZ(6) NOT NULL
);
COMMENT ON TABLE person_denial IS 'How often a signed-in person was refused within an hour, so that a loop makes few audit entries.';
