-- A payer may take a void and do it later.
ALTER TABLE task ADD COLUMN void_pending BOOLEAN NOT NULL DEFAULT false;
