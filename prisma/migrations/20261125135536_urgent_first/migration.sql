-- The queue begins with urgent cases, in every view of open ones.

-- serves: the views of open cases by state: the urgent ones of each, due first
CREATE INDEX CONCURRENTLY task_urgent_state_idx
  ON task (practice_id, state, due_at, id, assignee_id, remark_by, filter_bits, created_at)
  WHERE urgent AND state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);
