-- after a decision the next case to decide opens
ALTER TABLE person ADD COLUMN opens_next BOOLEAN NOT NULL DEFAULT true;
