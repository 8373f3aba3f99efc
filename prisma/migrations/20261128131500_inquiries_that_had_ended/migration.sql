-- Programs before November 28, 2026 ended the inquiries about a case that its payer has yet to decide, where an update or a
-- void of it had failed or its connection had a new version. They begin again, spread over an hour. One about a case that was
-- only ever submitted by hand ends with its first turn.
INSERT INTO next_inquiry (task_id, practice_id, due_at, inquiries)
SELECT id, practice_id, clock_timestamp() + random() * interval '1 hour', 0 FROM task
 WHERE state <> ALL (ARRAY['determined'::text, 'voided'::text, 'withdrawn'::text, 'declined'::text, 'failed'::text])
   AND payer_receipt <> 'no' AND voided IS NULL AND stage NOT IN ('ended', 'submitting')
   AND (determination_id IS NULL OR undecided_revision IS NOT NULL OR void_pending OR stage = 'unconfirmed')
ON CONFLICT DO NOTHING;
