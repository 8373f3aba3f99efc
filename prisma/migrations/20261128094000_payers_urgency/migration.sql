-- The payer's legal time to decide follows from what it received, also while a revision that says otherwise waits for a release.

-- whether the request that the payer has is urgent; empty while it has none, and of one received before this column: then
-- `urgent` says it
ALTER TABLE task ADD COLUMN payer_urgent BOOLEAN;
