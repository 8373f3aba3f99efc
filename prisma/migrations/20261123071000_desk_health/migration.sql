-- What the health page counts. A case enters none of these when it is opened: each is for what only comes later.
CREATE INDEX gate_decided_idx ON gate (practice_id, decided_at, status, opened_at, task_id) WHERE decided_at IS NOT NULL;
CREATE INDEX task_decided_idx ON task (practice_id, decided_at, payer_id, payer_received_at, urgent) WHERE decided_at IS NOT NULL;
CREATE INDEX transmission_practice_id_released_at_idx ON transmission (practice_id, released_at);
