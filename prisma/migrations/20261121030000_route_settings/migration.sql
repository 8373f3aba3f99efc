-- What a connector lets a route choose, and whose decision-time rules bind the payer there.
ALTER TABLE route ADD COLUMN settings JSONB NOT NULL DEFAULT '{}', ADD COLUMN line_of_business TEXT;
