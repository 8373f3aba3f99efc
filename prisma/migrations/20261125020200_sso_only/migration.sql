-- Whether whoever holds a role in the practice signs in by the provider alone.
ALTER TABLE practice ADD COLUMN sso_only BOOLEAN NOT NULL DEFAULT false;
