-- A list of open cases narrowed to a payer passed over those of all others. Whoever asks for the open tasks of a route, which
-- the index that goes was for, finds them in this one, and what is over is no longer in it.
DROP INDEX task_practice_id_payer_id_motion_idx;
CREATE INDEX task_open_payer_idx
    ON task (practice_id, payer_id, state, due_at, id, assignee_id, remark_by, filter_bits, created_at, payer_due_at)
 WHERE state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);
