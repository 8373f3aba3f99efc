-- An administrator may open a case in an emergency, where the practice allows it.

-- its administrators may open a case in an emergency, with a reason that its people are told
ALTER TABLE practice ADD COLUMN emergency_access BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE emergency_access (
  id UUID NOT NULL CONSTRAINT emergency_access_pkey PRIMARY KEY,
  task_id UUID NOT NULL CONSTRAINT emergency_access_task_id_fkey REFERENCES task (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  person_id UUID NOT NULL CONSTRAINT emergency_access_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- why, sealed
  reason BYTEA NOT NULL,
  opened_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  -- the case can be read until then
  expires_at TIMESTAMPTZ(6) NOT NULL
);
COMMENT ON TABLE emergency_access IS 'A case that an administrator opened in an emergency, and why. Never deleted.';
-- serves: the emergency accesses of practices, the latest first
CREATE INDEX emergency_access_practice_id_opened_at_idx ON emergency_access (practice_id, opened_at);
