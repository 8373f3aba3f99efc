-- The home page lists approvals that end soon, and the last day of one is sealed with the rest of it.

-- the last day it is valid for; empty where the payer named none
ALTER TABLE determination ADD COLUMN valid_to DATE;

-- serves: the view of approvals that end soon
CREATE INDEX CONCURRENTLY determination_valid_to_idx ON determination (practice_id, valid_to) WHERE valid_to IS NOT NULL;
