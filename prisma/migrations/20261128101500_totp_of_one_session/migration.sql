-- A new secret belongs to the session that made it, so that nobody with another session confirms it or is shown it.

-- the session that made the secret, while no code of it was shown; empty where the release before made it
ALTER TABLE totp ADD COLUMN session_id UUID;
