-- Reviewers are told of approvals that are about to end or to be used up.

ALTER TABLE mail DROP CONSTRAINT mail_kind_check;
ALTER TABLE mail ADD CONSTRAINT mail_kind_check
  CHECK (kind IN ('gate', 'expiring', 'needs-person', 'assigned', 'mention', 'ending', 'emergency', 'account')) NOT VALID;
ALTER TABLE mail VALIDATE CONSTRAINT mail_kind_check;

CREATE TABLE units_used (
  task_id UUID NOT NULL CONSTRAINT units_used_pkey PRIMARY KEY
    CONSTRAINT units_used_task_id_fkey REFERENCES task (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  -- the determination that was in force; of another one nothing is known
  determination_id UUID NOT NULL,
  person_id UUID NOT NULL CONSTRAINT units_used_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- how many of which line, sealed
  units BYTEA NOT NULL,
  -- of the line that is used most
  percent SMALLINT NOT NULL CHECK (percent >= 0),
  recorded_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE units_used IS 'How much of an authorization a person recorded as used; the latest record of a case.';
-- serves: the view and the mail about approvals that are nearly used up
CREATE INDEX units_used_practice_id_percent_idx ON units_used (practice_id, percent);
