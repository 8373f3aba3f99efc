-- Whether single characters are shortcuts for this person, in every browser of theirs.
ALTER TABLE person ADD COLUMN single_keys BOOLEAN NOT NULL DEFAULT true;
