-- A person's open cases are sorted by the payer's time from the index alone. Nothing is written here for a case nobody
-- is assigned to, and whoever writes that time writes task_payer_due_idx anyway.
DROP INDEX task_assignee_idx;
CREATE INDEX task_assignee_idx ON task (assignee_id, due_at, id, practice_id, state, filter_bits, created_at, payer_due_at)
  WHERE assignee_id IS NOT NULL AND state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);
