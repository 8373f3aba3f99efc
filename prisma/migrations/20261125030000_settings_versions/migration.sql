-- Who a practice is to payers, and the providers it asks for and with; names and numbers that are public.
ALTER TABLE practice
  ADD COLUMN npi TEXT,
  ADD COLUMN tax_id TEXT,
  ADD COLUMN providers JSONB NOT NULL DEFAULT '[]';

-- What a payer wants of every request beyond its connector, as JSON pointers; and with which version its credential came.
ALTER TABLE route
  ADD COLUMN required_fields TEXT[] NOT NULL DEFAULT '{}',
  ADD COLUMN credential_version INT;
UPDATE route SET credential_version = version WHERE credential IS NOT NULL;

-- A practice's settings, or those of one of its routes, as they were left by one change. Never a credential.
CREATE TABLE settings_version (
  practice_id TEXT NOT NULL,
  -- 'practice', or 'route:' and the payer's id
  subject TEXT NOT NULL,
  version INT NOT NULL CHECK (version > 0),
  at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  actor TEXT NOT NULL,
  act TEXT NOT NULL,
  state JSONB NOT NULL,
  CONSTRAINT settings_version_pkey PRIMARY KEY (practice_id, subject, version),
  CONSTRAINT settings_version_practice_id_fkey FOREIGN KEY (practice_id) REFERENCES practice (id) ON DELETE RESTRICT ON UPDATE CASCADE
);

-- The last test of a route's connection, at exactly this version of it.
CREATE TABLE route_test (
  route_id UUID NOT NULL,
  practice_id TEXT NOT NULL,
  at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  actor TEXT NOT NULL,
  ok BOOLEAN NOT NULL,
  -- what was tried, one after the other: names, words and milliseconds
  steps JSONB NOT NULL,
  CONSTRAINT route_test_pkey PRIMARY KEY (route_id),
  CONSTRAINT route_test_route_id_fkey FOREIGN KEY (route_id) REFERENCES route (id) ON DELETE RESTRICT ON UPDATE CASCADE
);

-- What stands already is the first version, so that the first change can be compared with it.
INSERT INTO settings_version (practice_id, subject, version, actor, act, state)
SELECT p.id, 'practice', 1, 'service', 'settings.found', jsonb_build_object(
         'name', p.name, 'status', p.status, 'environment', p.environment, 'timeZone', p.time_zone,
         'npi', p.npi, 'taxId', p.tax_id, 'recallWindowS', p.recall_window_s, 'gateExpiryDays', p.gate_expiry_days,
         'urgentTargetH', p.urgent_target_h, 'standardTargetH', p.standard_target_h,
         'notedWarnings', to_jsonb(p.noted_warnings), 'providers', '{}'::jsonb,
         'votes', (SELECT coalesce(jsonb_object_agg(v.action || '-' || v.risk, jsonb_build_object('votes', v.votes, 'stepUp', v.step_up)), '{}')
                     FROM vote_rule v WHERE v.practice_id = p.id))
  FROM practice p;
INSERT INTO settings_version (practice_id, subject, version, at, actor, act, state)
SELECT r.practice_id, 'route:' || r.payer_id, r.version, r.created_at, 'service', 'settings.found', jsonb_build_object(
         'payerName', r.payer_name, 'connector', r.connector, 'url', r.url, 'environment', r.environment,
         'settings', r.settings, 'lineOfBusiness', r.line_of_business, 'requiredFields', to_jsonb(r.required_fields),
         'credential', coalesce('set with version ' || r.credential_version, 'none'), 'route', r.version)
  FROM route r;
