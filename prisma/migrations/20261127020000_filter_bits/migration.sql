-- A filter by payer, channel or code looked at every open case, for an index over the array may not serve behind
-- row-level security, and one more index would cost every intake. Sixty-four bits in the indexes that lists go along
-- anyway tell which cases need no look (lib/store/filter-bits.ts has the rule). All bits set says nothing, and is what
-- cases have that are over: they are found by payer and code along indexes of their own.
ALTER TABLE task ADD COLUMN filter_bits BIGINT NOT NULL DEFAULT -1;

UPDATE task t SET filter_bits = (
  SELECT bit_or(1::bigint << (get_byte(sha256(convert_to(word, 'UTF8')), byte) & 63))
    FROM unnest(ARRAY['payer ' || t.payer_id, 'channel ' || t.channel_id]
                || ARRAY(SELECT 'code ' || code FROM unnest(t.procedure_codes) AS c (code))) AS w (word)
   CROSS JOIN generate_series(0, 3) AS b (byte))
 WHERE t.state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);

-- With them, how old a case is: both order nothing, and are told from the index without the case.
DROP INDEX task_open_idx;
CREATE INDEX task_open_idx ON task (practice_id, state, due_at, id, assignee_id, remark_by, filter_bits, created_at)
    WHERE state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);
DROP INDEX task_payer_due_idx;
CREATE INDEX task_payer_due_idx ON task (practice_id, state, payer_due_at, id, due_at, assignee_id, filter_bits, created_at)
    WHERE payer_due_at IS NOT NULL;
DROP INDEX task_assignee_idx;
CREATE INDEX task_assignee_idx ON task (assignee_id, due_at, id, practice_id, state, filter_bits, created_at)
    WHERE assignee_id IS NOT NULL AND state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);
DROP INDEX task_closed_idx;
CREATE INDEX task_closed_idx ON task (practice_id, state, changed_at, id, created_at)
    WHERE state = ANY (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);

-- No case enters it before it is over.
CREATE INDEX task_closed_payer_idx ON task (practice_id, payer_id, state, changed_at, id, created_at)
    WHERE state = ANY (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);

-- What is told from an index alone is told so only of pages that were vacuumed since they changed. The usual fifth of a
-- table is twice as much as all its open cases.
ALTER TABLE task SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01);
