-- What lists of cases are filtered, sorted and searched by. All of it follows from the facts of a task and is written
-- together with them, so that a list never has to work it out for every row.
ALTER TABLE practice
    ADD COLUMN urgent_target_h INTEGER NOT NULL DEFAULT 4 CHECK (urgent_target_h BETWEEN 1 AND 720),
    ADD COLUMN standard_target_h INTEGER NOT NULL DEFAULT 24 CHECK (standard_target_h BETWEEN 1 AND 720);

ALTER TABLE task
    ADD COLUMN state TEXT,
    ADD COLUMN needs_person TEXT,
    ADD COLUMN due_at TIMESTAMPTZ(6),
    ADD COLUMN payer_due_at TIMESTAMPTZ(6),
    ADD COLUMN assignee_id UUID,
    ADD COLUMN member_hash BYTEA;

UPDATE task t SET state = CASE
        WHEN t.voided IS NOT NULL THEN 'voided'
        WHEN t.motion = 'ended' THEN t.motion_end
        WHEN t.motion = 'held' THEN g.action || '-held'
        WHEN t.motion = 'released' THEN g.action || '-released'
        WHEN t.motion = 'unconfirmed' THEN g.action || '-unconfirmed'
        WHEN t.motion = 'sending' THEN CASE g.action WHEN 'transmit' THEN 'transmitting' ELSE 'voiding' END
        WHEN t.void_pending THEN 'voiding'
        WHEN t.determination_id IS NOT NULL THEN 'determined'
        WHEN t.wants IS NOT NULL THEN 'payer-needs-information'
        WHEN t.holds = 'no' THEN 'needs-information'
        ELSE 'transmitted' END,
    needs_person = CASE
        WHEN t.motion = 'unconfirmed' AND t.voided IS NULL THEN 'unconfirmed'
        WHEN t.attention IS NOT NULL THEN t.attention
        WHEN t.motion IN ('released', 'sending') AND g.by_hand AND t.voided IS NULL THEN 'send-by-hand' END
  FROM task o LEFT JOIN gate g ON g.id = o.gate_id WHERE o.id = t.id;

UPDATE task t SET due_at = CASE WHEN t.motion = 'held' THEN g.opened_at ELSE t.changed_at END
        + make_interval(hours => CASE WHEN t.urgent THEN p.urgent_target_h ELSE p.standard_target_h END)
  FROM task o LEFT JOIN gate g ON g.id = o.gate_id JOIN practice p ON p.id = o.practice_id
 WHERE o.id = t.id AND (t.state IN ('transmit-held', 'void-held') OR t.needs_person IS NOT NULL);

-- The decision times of lib/domain/decision-times.ts as they are on the day of this migration.
UPDATE task t SET payer_due_at = CASE
        WHEN rule.hours IS NOT NULL THEN t.payer_received_at + make_interval(hours => rule.hours)
        ELSE ((t.payer_received_at AT TIME ZONE p.time_zone)::date + rule.days + 1)::timestamp AT TIME ZONE p.time_zone
             - interval '1 millisecond' END
  FROM practice p, (VALUES
        ('medicare-advantage', true, 72, NULL, DATE '2019-01-01', NULL),
        ('medicare-advantage', false, NULL, 14, DATE '2019-01-01', DATE '2025-12-31'),
        ('medicare-advantage', false, NULL, 7, DATE '2026-01-01', NULL),
        ('medicaid-ffs', true, 72, NULL, DATE '2026-01-01', NULL),
        ('medicaid-ffs', false, NULL, 7, DATE '2026-01-01', NULL),
        ('medicaid-managed-care', true, 72, NULL, DATE '2019-01-01', NULL),
        ('medicaid-managed-care', false, NULL, 14, DATE '2019-01-01', DATE '2025-12-31'),
        ('medicaid-managed-care', false, NULL, 7, DATE '2026-01-01', NULL),
        ('chip-ffs', true, 72, NULL, DATE '2026-01-01', NULL),
        ('chip-ffs', false, NULL, 7, DATE '2026-01-01', NULL),
        ('chip-managed-care', true, 72, NULL, DATE '2019-01-01', NULL),
        ('chip-managed-care', false, NULL, 14, DATE '2019-01-01', DATE '2025-12-31'),
        ('chip-managed-care', false, NULL, 7, DATE '2026-01-01', NULL),
        ('qhp-ffe', true, 72, NULL, DATE '2019-01-01', NULL),
        ('qhp-ffe', false, NULL, 15, DATE '2019-01-01', NULL),
        ('group-health-plan', true, 72, NULL, DATE '2019-01-01', NULL),
        ('group-health-plan', false, NULL, 15, DATE '2019-01-01', NULL)
       ) AS rule (line_of_business, urgent, hours, days, first_day, last_day)
 WHERE p.id = t.practice_id AND t.payer_received_at IS NOT NULL AND t.decided_at IS NULL AND t.voided_at IS NULL
   AND rule.urgent = t.urgent
   AND rule.line_of_business = (SELECT r.line_of_business FROM route r
                                 WHERE r.practice_id = t.practice_id AND r.payer_id = t.payer_id
                                 ORDER BY r.version DESC LIMIT 1)
   AND (t.payer_received_at AT TIME ZONE p.time_zone)::date >= rule.first_day
   AND (rule.last_day IS NULL OR (t.payer_received_at AT TIME ZONE p.time_zone)::date <= rule.last_day);

-- The member id of an earlier task is sealed, so its hash comes with its next revision.
ALTER TABLE task ALTER COLUMN state SET NOT NULL;
