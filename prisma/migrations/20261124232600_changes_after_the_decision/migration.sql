-- A request may change after the payer decided. What it decided then stands, and is no answer to the change.

-- the revision that the payer received after its determination and has not decided on; empty where there is none
ALTER TABLE task ADD COLUMN undecided_revision INTEGER CHECK (undecided_revision > 0);
-- the revision of the request that it answers; empty where that is not known
ALTER TABLE determination ADD COLUMN revision INTEGER CHECK (revision > 0);
