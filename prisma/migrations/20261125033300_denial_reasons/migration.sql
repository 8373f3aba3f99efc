-- Why payers deny, and which denials are overturned.

-- the payer's reason codes for lines it did not approve as requested, each once; codes of X12 alone, so not sealed
ALTER TABLE determination ADD COLUMN reasons TEXT[] NOT NULL DEFAULT '{}';

CREATE TABLE report_denial_day (
  practice_id TEXT NOT NULL,
  -- of the first determination
  day DATE NOT NULL,
  payer_id TEXT NOT NULL,
  -- a reason code of the payer; empty for a denial without one
  reason TEXT NOT NULL,
  -- requests that were denied for it at any time, and those of them approved at least in part now
  denied INTEGER NOT NULL,
  overturned INTEGER NOT NULL,
  CONSTRAINT report_denial_day_pkey PRIMARY KEY (practice_id, day, payer_id, reason)
);
COMMENT ON TABLE report_denial_day IS 'Why payers denied what they decided on a day. A denial for several reasons counts with each.';
