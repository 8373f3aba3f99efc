-- What `secret_hash` is: `sha256` of a key from before keys had a checksum, or an HMAC under the operator's pepper.
-- The old program goes on writing the former while it is replaced; only such a key may be without an end.
ALTER TABLE channel_key ADD COLUMN kind TEXT NOT NULL DEFAULT 'sha256' CHECK (kind IN ('sha256', 'key'));
ALTER TABLE channel_key ADD CONSTRAINT channel_key_expires CHECK (kind = 'sha256' OR expires_at IS NOT NULL);

-- The networks a channel may call from; none means from anywhere.
ALTER TABLE channel ADD COLUMN networks INET[] NOT NULL DEFAULT '{}';
