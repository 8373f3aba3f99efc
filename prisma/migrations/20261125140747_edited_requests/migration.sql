-- who corrected the agent's last revision, and JSON pointers of what; empty where nobody did
ALTER TABLE task
  ADD COLUMN edited_by UUID[] NOT NULL DEFAULT '{}',
  ADD COLUMN edited_paths TEXT[] NOT NULL DEFAULT '{}';
