-- A second administrator confirms what widens access, where a practice wants one.

-- a new practice of a channel, the administrator role and fewer releases wait for a second administrator
ALTER TABLE practice ADD COLUMN second_admin BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE change_request (
  id UUID NOT NULL CONSTRAINT change_request_pkey PRIMARY KEY,
  -- what is to be done, as ids and settings; never a secret, never a patient
  change JSONB NOT NULL,
  -- the practices whose administrators may confirm it: all of these; none means those of every practice
  scope TEXT[] NOT NULL,
  asked_by UUID NOT NULL CONSTRAINT change_request_asked_by_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  asked_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  expires_at TIMESTAMPTZ(6) NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('waiting', 'confirmed', 'rejected', 'withdrawn')),
  decided_by UUID CONSTRAINT change_request_decided_by_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  decided_at TIMESTAMPTZ(6),
  -- nobody confirms what they asked for
  CONSTRAINT change_request_two_people CHECK (status <> 'confirmed' OR decided_by <> asked_by)
);
COMMENT ON TABLE change_request IS 'A change that widens access and waits for a second administrator, or what became of it.';
-- serves: the changes that wait, and those of the last days
CREATE INDEX change_request_asked_at_idx ON change_request (asked_at, id);
