-- Practices, their settings and keys, and how each reaches its payers.

CREATE TABLE practice (
  -- public, chosen by the operator, never changed
  id TEXT NOT NULL CONSTRAINT practice_pkey PRIMARY KEY,
  name TEXT NOT NULL,
  -- a suspended practice takes no calls and submits nothing
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
  -- of requests to a payer without a connection; a connection has its own. What is 'test' is marked as such to everybody
  environment TEXT NOT NULL DEFAULT 'live' CHECK (environment IN ('live', 'test')),
  -- seconds between a release and its submission, in which the release can be undone
  recall_window_s INTEGER NOT NULL DEFAULT 10 CHECK (recall_window_s BETWEEN 0 AND 3600),
  -- how long a gate stays open
  gate_expiry_days INTEGER NOT NULL DEFAULT 14 CHECK (gate_expiry_days BETWEEN 1 AND 365),
  -- IANA name; a payer's calendar days are counted in it
  time_zone TEXT NOT NULL DEFAULT 'America/New_York',
  -- target: hours within which a person should act once it is their turn
  urgent_target_h INTEGER NOT NULL DEFAULT 4 CHECK (urgent_target_h BETWEEN 1 AND 720),
  standard_target_h INTEGER NOT NULL DEFAULT 24 CHECK (standard_target_h BETWEEN 1 AND 720),
  -- warnings that need no override reason
  noted_warnings TEXT[] NOT NULL DEFAULT '{no-attachment}',
  -- its reviewers can do nothing until they have shown a second factor in their session
  reviewers_second_factor BOOLEAN NOT NULL DEFAULT false,
  -- whoever holds a role here signs in through the identity provider only
  sso_only BOOLEAN NOT NULL DEFAULT false,
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  npi TEXT,
  tax_id TEXT,
  -- its providers by NPI, each with name and roles
  providers JSONB NOT NULL DEFAULT '[]'
);
COMMENT ON TABLE practice IS 'A medical practice and its settings. Never deleted.';

CREATE TABLE practice_key (
  -- a practice, or ':service' for what belongs to none; that is why there is no foreign key
  practice_id TEXT NOT NULL,
  -- 'seal' encrypts columns, 'find' hashes member ids so that they can be searched
  use TEXT NOT NULL CHECK (use IN ('seal', 'find')),
  version INTEGER NOT NULL CHECK (version > 0),
  -- the key, encrypted with a key of the operator's key ring, which is never in the database
  wrapped BYTEA NOT NULL,
  -- which key of the ring decrypts it
  wrapped_by TEXT NOT NULL,
  -- when it starts to seal; by then every process has read it
  active_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  made_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT practice_key_pkey PRIMARY KEY (practice_id, use, version)
);
COMMENT ON TABLE practice_key IS 'Keys that encrypt a practice''s columns or hash its member ids, themselves encrypted. Never deleted: old values need them.';

CREATE TABLE settings_version (
  practice_id TEXT NOT NULL,
  -- 'practice', or 'route:' and the payer's id
  subject TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version > 0),
  at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  -- who changed it, and the audit act
  actor TEXT NOT NULL,
  act TEXT NOT NULL,
  -- all settings after the change, never a credential
  state JSONB NOT NULL,
  CONSTRAINT settings_version_pkey PRIMARY KEY (practice_id, subject, version),
  CONSTRAINT settings_version_practice_id_fkey FOREIGN KEY (practice_id) REFERENCES practice (id) ON DELETE RESTRICT ON UPDATE CASCADE
);
COMMENT ON TABLE settings_version IS 'The settings of a practice, or of one of its payer connections, after each change. The application only inserts.';

CREATE TABLE vote_rule (
  practice_id TEXT NOT NULL CONSTRAINT vote_rule_practice_id_fkey REFERENCES practice (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  action TEXT NOT NULL CHECK (action IN ('transmit', 'void')),
  risk TEXT NOT NULL CHECK (risk IN ('ordinary', 'high')),
  -- how many reviewers must release
  votes INTEGER NOT NULL CHECK (votes BETWEEN 1 AND 5),
  -- each of them re-authenticates
  step_up BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT vote_rule_pkey PRIMARY KEY (practice_id, action, risk)
);
COMMENT ON TABLE vote_rule IS 'How many reviewers it takes to release an action of a risk. Without a row, one.';

CREATE TABLE route (
  id UUID NOT NULL CONSTRAINT route_pkey PRIMARY KEY,
  practice_id TEXT NOT NULL CONSTRAINT route_practice_id_fkey REFERENCES practice (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  payer_id TEXT NOT NULL,
  -- each change adds a row; the highest version is in use
  version INTEGER NOT NULL CHECK (version > 0),
  payer_name TEXT,
  -- which code talks to the payer: 'manual', 'pas-fhir' or 'service-review'
  connector TEXT NOT NULL,
  url TEXT,
  environment TEXT NOT NULL CHECK (environment IN ('live', 'test')),
  -- sealed
  credential BYTEA,
  -- what the connector lets a connection choose
  settings JSONB NOT NULL DEFAULT '{}',
  -- whose legal decision times bind the payer here
  line_of_business TEXT,
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  -- JSON pointers of what the payer requires in addition to what the connector requires
  required_fields TEXT[] NOT NULL DEFAULT '{}',
  -- the version in which the credential was set
  credential_version INTEGER
);
COMMENT ON TABLE route IS 'A payer connection: how a practice reaches a payer, one row per version.';
-- serves: the connection in use for a practice and payer
CREATE UNIQUE INDEX route_practice_id_payer_id_version_key ON route (practice_id, payer_id, version);

CREATE TABLE route_test (
  route_id UUID NOT NULL CONSTRAINT route_test_pkey PRIMARY KEY
    CONSTRAINT route_test_route_id_fkey REFERENCES route (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  actor TEXT NOT NULL,
  ok BOOLEAN NOT NULL,
  -- what was tried, in order: name, outcome and milliseconds
  steps JSONB NOT NULL
);
COMMENT ON TABLE route_test IS 'The last test of a payer connection, at exactly this version of it.';

-- The next two run as the caller and under its row-level-security policies. They are functions so that the statement
-- that reads a task does not plan them unless the task needs them.

CREATE FUNCTION practice_time_zone(p_practice TEXT) RETURNS TEXT
    LANGUAGE sql STABLE AS
    $$ SELECT p.time_zone FROM public.practice p WHERE p.id = p_practice $$;
COMMENT ON FUNCTION practice_time_zone IS 'The zone in which a practice''s calendar days are counted. Called when a task that a payer has is read.';

CREATE FUNCTION route_line_of_business(p_practice TEXT, p_payer TEXT) RETURNS TEXT
    LANGUAGE sql STABLE AS
    $$ SELECT r.line_of_business FROM public.route r WHERE r.practice_id = p_practice AND r.payer_id = p_payer
        ORDER BY r.version DESC LIMIT 1 $$;
COMMENT ON FUNCTION route_line_of_business IS 'The line of business of the newest connection to a payer, which sets its time to decide. Called when a task that a payer has is read.';
