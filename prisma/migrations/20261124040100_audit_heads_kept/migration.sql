-- The last signed head of a chain, as it was written to the folder: an export carries it along.
ALTER TABLE audit_chain ADD COLUMN signed_head TEXT;
