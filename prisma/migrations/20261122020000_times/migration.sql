-- When a case was sent, received, decided and voided; what became of each action that left; and whose calendar days count.
ALTER TABLE task
    ADD COLUMN sent_at TIMESTAMPTZ(6),
    ADD COLUMN payer_received_at TIMESTAMPTZ(6),
    ADD COLUMN payer_received_by TEXT CHECK (payer_received_by IN ('payer', 'person', 'service')),
    ADD COLUMN decided_at TIMESTAMPTZ(6),
    ADD COLUMN voided_at TIMESTAMPTZ(6),
    ADD CONSTRAINT task_payer_received CHECK ((payer_received_at IS NULL) = (payer_received_by IS NULL));

ALTER TABLE transmission
    ADD COLUMN sent_at TIMESTAMPTZ(6),
    ADD COLUMN result TEXT CHECK (result IN ('received', 'refused', 'not-received', 'unconfirmed')),
    ADD COLUMN reference TEXT,
    ADD COLUMN reason BYTEA;

ALTER TABLE practice ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'America/New_York';

-- What earlier rows tell of the same.
UPDATE transmission SET sent_at = started_at, result = CASE WHEN phase = 'unconfirmed' THEN 'unconfirmed'
        WHEN answer = 'rejected' THEN 'refused' WHEN answer = 'settled.none' THEN 'not-received' ELSE 'received' END
 WHERE started_at IS NOT NULL AND (phase = 'unconfirmed' OR answer IS NOT NULL);

UPDATE task t SET sent_at = (SELECT min(x.sent_at) FROM transmission x WHERE x.task_id = t.id AND x.action = 'transmit');

UPDATE task t SET payer_received_by = 'service', payer_received_at = coalesce(
        (SELECT min(x.answered_at) FROM transmission x WHERE x.task_id = t.id AND x.action = 'transmit' AND x.result = 'received'),
        t.changed_at)
 WHERE holds = 'yes';

UPDATE task t SET decided_at = (SELECT min(coalesce(d.decided_at, d.received_at)) FROM determination d WHERE d.task_id = t.id)
 WHERE determination_id IS NOT NULL;

UPDATE task SET voided_at = changed_at WHERE voided IS NOT NULL;
