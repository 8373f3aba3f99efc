-- Which payers a practice works with, and over which payer connection a request goes where a payer has others review it.

CREATE TABLE payer (
  practice_id TEXT NOT NULL CONSTRAINT payer_practice_id_fkey REFERENCES practice (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- as requests name it
  payer_id TEXT NOT NULL,
  name TEXT NOT NULL,
  -- other names and ids it goes by; a request that uses one is told the id
  aliases TEXT[] NOT NULL DEFAULT '{}',
  -- how it is reached, which a new payer connection begins with: 'manual', 'pas-fhir' or 'service-review'
  connector TEXT,
  -- what it takes over its connection, as far as its connector has it
  supports TEXT[] NOT NULL DEFAULT '{updates,files,voids,subscriptions}',
  -- JSON pointers of what it requires in addition to what its connection requires
  required_fields TEXT[] NOT NULL DEFAULT '{}',
  -- in order, which requests go over another payer connection than its own: name, conditions, and that connection's payer id
  rules JSONB NOT NULL DEFAULT '[]',
  CONSTRAINT payer_pkey PRIMARY KEY (practice_id, payer_id)
);
COMMENT ON TABLE payer IS 'The payer directory of a practice. Its key serves the payer of a request and the list of a practice.';

-- What becomes of a request to a payer that is neither in the directory nor has a connection. Without any row in the
-- directory it is always taken.
ALTER TABLE practice ADD COLUMN unlisted_payers TEXT NOT NULL DEFAULT 'refuse'
  CONSTRAINT practice_unlisted_payers_check CHECK (unlisted_payers IN ('refuse', 'manual'));

-- The payer id of the payer connection that the request goes over, where it is not payer_id.
ALTER TABLE task ADD COLUMN route_payer_id TEXT;
-- serves: the open tasks of a payer connection, with task_open_payer_idx
CREATE INDEX task_route_payer_idx ON task (practice_id, route_payer_id) WHERE route_payer_id IS NOT NULL;

-- The rule that chose the payer connection, as it was when the gate opened; NULL for the payer's own connection.
ALTER TABLE gate ADD COLUMN route_rule JSONB;
