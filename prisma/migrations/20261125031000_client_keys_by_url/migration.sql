-- Where a client's public keys are fetched from; `jwks` then has what was found there when it was set.
ALTER TABLE channel_key ADD COLUMN jwks_url TEXT;
