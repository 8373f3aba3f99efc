-- Columns and values take the names of the glossary. Renamed in one step, which only a service that was never released
-- may do: the program before this migration does not run after it.

ALTER TABLE task RENAME COLUMN motion TO stage;
ALTER TABLE task RENAME COLUMN motion_end TO stage_end;
ALTER TABLE task RENAME COLUMN holds TO payer_receipt;
ALTER TABLE task RENAME COLUMN wants TO information_request;
ALTER TABLE task RENAME CONSTRAINT task_motion_end TO task_stage_end;
ALTER TABLE task RENAME CONSTRAINT task_motion_gate TO task_stage_gate;
ALTER TABLE task RENAME CONSTRAINT task_motion_end_check TO task_stage_end_check;
ALTER TABLE task RENAME CONSTRAINT task_motion_not_null TO task_stage_not_null;
ALTER TABLE task RENAME CONSTRAINT task_holds_not_null TO task_payer_receipt_not_null;
ALTER TABLE task RENAME CONSTRAINT task_holds_check TO task_payer_receipt_check;
ALTER TABLE task DROP CONSTRAINT task_motion_check;
UPDATE task SET stage = 'submitting' WHERE stage = 'sending';
UPDATE task SET needs_person = 'manual-submission' WHERE needs_person = 'send-by-hand';
ALTER TABLE task ADD CONSTRAINT task_stage_check CHECK (stage IN ('idle', 'held', 'released', 'submitting', 'unconfirmed', 'ended'));

ALTER TABLE gate RENAME COLUMN by_hand TO is_manual;
ALTER TABLE gate RENAME CONSTRAINT gate_by_hand_not_null TO gate_is_manual_not_null;

ALTER TABLE transmission RENAME COLUMN by_hand TO is_manual;
ALTER TABLE transmission RENAME CONSTRAINT transmission_by_hand_not_null TO transmission_is_manual_not_null;
ALTER INDEX transmission_phase_by_hand_claimable_at_idx RENAME TO transmission_phase_is_manual_claimable_at_idx;
ALTER TABLE transmission DROP CONSTRAINT transmission_phase_check;
UPDATE transmission SET phase = 'submitting' WHERE phase = 'sending';
ALTER TABLE transmission ADD CONSTRAINT transmission_phase_check CHECK (phase IN ('released', 'submitting', 'unconfirmed', 'done'));

ALTER TABLE person_role RENAME COLUMN by_hand TO by_admin;
ALTER TABLE person_role RENAME CONSTRAINT person_role_by_hand_not_null TO person_role_by_admin_not_null;

ALTER TABLE payer_event RENAME COLUMN heard_at TO handled_at;
ALTER INDEX payer_event_heard_at_task_id_idx RENAME TO payer_event_handled_at_task_id_idx;
UPDATE payer_event SET kind = 'person.inquired' WHERE kind = 'person.asked';

-- Entries of the audit log keep the acts they were written with: each is hashed.
UPDATE task_event e SET type = n.type
  FROM (VALUES ('void.asked', 'void.requested'), ('payer.wants', 'payer.requested-information'),
               ('payer.asks-contact', 'payer.requested-contact'), ('transmission.doubted', 'transmission.outcome-unknown'),
               ('transmission.settled', 'transmission.resolved'), ('transmission.void-taken', 'transmission.void-accepted'),
               ('gate.vote-taken-back', 'gate.vote-withdrawn')) n (former, type)
 WHERE e.type = n.former;

CREATE OR REPLACE FUNCTION task_submissions(p_task UUID) RETURNS JSON
    LANGUAGE sql STABLE AS
    $$ SELECT json_agg(last) FROM (
         SELECT DISTINCT ON (sx.action) sx.gate_id, sx.action, sg.is_update, sx.is_manual, sg.revision, sx.attempt,
                sg.digest, sg.document_digests, sg.environment, sx.sent_at, sx.result, sx.answered_at, sx.reference,
                sx.delivery, encode(sx.reason, 'base64') AS reason,
                (SELECT count(*) FROM public.gate rg JOIN public.transmission rx ON rx.gate_id = rg.id
                  WHERE rg.task_id = p_task AND rg.action = sg.action AND rg.revision = sg.revision
                    AND rg.opened_at < sg.opened_at AND rx.result = 'refused') AS refusals
           FROM public.gate sg JOIN public.transmission sx ON sx.gate_id = sg.id
          WHERE sg.task_id = p_task AND sx.sent_at IS NOT NULL
          ORDER BY sx.action, sx.sent_at DESC, sg.opened_at DESC) last $$;
COMMENT ON FUNCTION task_submissions IS 'The last submission of each action of a task that left, with its outcome. Called when a submitted task is read.';
