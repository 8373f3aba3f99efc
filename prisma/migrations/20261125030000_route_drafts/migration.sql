-- A payer connection is drafted, tested, and then activated.

CREATE TABLE route_draft (
  id UUID NOT NULL CONSTRAINT route_draft_pkey PRIMARY KEY,
  practice_id TEXT NOT NULL CONSTRAINT route_draft_practice_id_fkey REFERENCES practice (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- nobody else continues it
  made_by UUID NOT NULL CONSTRAINT route_draft_made_by_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- as in table route, without the credential
  input JSONB NOT NULL,
  -- sealed
  credential BYTEA,
  -- goes up by one with each change; a test counts for the version it tested
  version INTEGER NOT NULL DEFAULT 1,
  tested_version INTEGER,
  test_ok BOOLEAN,
  test_steps JSONB,
  changed_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE route_draft IS 'A payer connection that is not active yet. Deleted when it becomes active, or a day after its last change.';
-- serves: deleting the drafts of a practice that are over
CREATE INDEX route_draft_practice_id_changed_at_idx ON route_draft (practice_id, changed_at);
