-- A view by the payer's clock holds cases of few states, and walked those of every state to find them. The columns after
-- the id order nothing: whose case it is, whether somebody here must act and whether it was sent back are told from the
-- index, without the case. Most are empty for a new case, and so cost it nothing.
DROP INDEX task_payer_due_idx;
CREATE INDEX task_payer_due_idx ON task (practice_id, state, payer_due_at, id, due_at, assignee_id)
  WHERE payer_due_at IS NOT NULL;
DROP INDEX task_open_idx;
CREATE INDEX task_open_idx ON task (practice_id, state, due_at, id, assignee_id, remark_by)
  WHERE state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);
