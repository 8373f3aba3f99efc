-- Sandbox: a practice of test data may have its requests released without a person, and a channel may be for test data
-- alone. The checks make sure that nothing live is ever released that way, whatever the program does.

-- every request is released without a person, if it goes to the payer of this machine and to no other
ALTER TABLE practice ADD COLUMN auto_review BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE practice ADD CONSTRAINT practice_auto_review CHECK (NOT auto_review OR environment = 'test') NOT VALID;
-- serves: the worker: the practices whose requests are released without a person
CREATE INDEX practice_auto_review_idx ON practice (id) WHERE auto_review;

-- it was released without a person
ALTER TABLE gate ADD COLUMN auto_released BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE gate ADD CONSTRAINT gate_auto_released
  CHECK (NOT auto_released OR (environment = 'test' AND NOT is_manual AND decided_by IS NULL)) NOT VALID;

-- a test channel reaches practices of test data alone
ALTER TABLE channel ADD COLUMN environment TEXT NOT NULL DEFAULT 'live' CHECK (environment IN ('live', 'test'));
