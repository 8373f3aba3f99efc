-- Which chains are due to be verified from their first entry has to outlive the worker that verifies them.

-- when the chain was last verified from its first entry; empty where it was not since this column
ALTER TABLE audit_chain ADD COLUMN whole_at TIMESTAMPTZ(6);
