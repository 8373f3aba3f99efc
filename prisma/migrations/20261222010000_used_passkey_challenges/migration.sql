-- Whoever only asked what a passkey is to sign wrote a row. A challenge now says itself, under our key, who asked for it
-- and until when; a row is written where one was signed and taken, so that it is taken once.
DELETE FROM passkey_challenge;
ALTER TABLE passkey_challenge RENAME TO used_passkey_challenge;
ALTER TABLE used_passkey_challenge RENAME CONSTRAINT passkey_challenge_pkey TO used_passkey_challenge_pkey;
ALTER TABLE used_passkey_challenge RENAME COLUMN expires_at TO until;
ALTER TABLE used_passkey_challenge DROP COLUMN asked_by;
ALTER INDEX passkey_challenge_expires_at_idx RENAME TO used_passkey_challenge_until_idx;
