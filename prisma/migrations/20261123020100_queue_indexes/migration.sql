-- What people call a task by, so that it is found by that too.
ALTER TABLE task ADD COLUMN short_id TEXT;
UPDATE task SET short_id = right(id::text, 8);
ALTER TABLE task ALTER COLUMN short_id SET NOT NULL;
CREATE INDEX task_short_id_idx ON task (short_id);

-- A new case enters the first of these and none of the others: each is for what only some cases come to.
CREATE INDEX task_open_idx ON task (practice_id, state, due_at, id)
    WHERE state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);
CREATE INDEX task_closed_idx ON task (practice_id, state, changed_at, id)
    WHERE state = ANY (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);
CREATE INDEX task_urgent_idx ON task (practice_id, due_at, id)
    WHERE urgent AND state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);
CREATE INDEX task_assignee_idx ON task (assignee_id, due_at, id)
    WHERE assignee_id IS NOT NULL AND state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);
CREATE INDEX task_needs_person_idx ON task (practice_id, due_at, id) WHERE needs_person IS NOT NULL;
CREATE INDEX task_payer_due_idx ON task (practice_id, payer_due_at, id) WHERE payer_due_at IS NOT NULL;
CREATE INDEX task_reference_idx ON task (practice_id, reference) WHERE reference IS NOT NULL;
CREATE INDEX task_member_hash_idx ON task (member_hash) WHERE member_hash IS NOT NULL;

-- Open gates alone, by when they expire: for the worker and for the list of what expires soon.
CREATE INDEX gate_open_expires_at_idx ON gate (expires_at, practice_id, id) WHERE status = 'open';

-- Nothing asks for these any more, or a smaller one serves.
DROP INDEX task_practice_id_changed_at_id_idx;
DROP INDEX gate_practice_id_status_opened_at_id_idx;
DROP INDEX gate_status_expires_at_idx;
DROP INDEX task_poll_at_idx;
CREATE INDEX task_poll_at_idx ON task (poll_at) WHERE poll_at IS NOT NULL;
