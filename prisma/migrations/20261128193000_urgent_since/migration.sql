-- An update that makes a request urgent has its own legal time, which runs from when the payer received that update.

ALTER TABLE task ADD COLUMN payer_urgent_at TIMESTAMPTZ(6);

COMMENT ON COLUMN task.payer_urgent_at IS 'when the payer received the update that made its request urgent; empty where none did, or one before this column';
