-- A list of open cases narrowed to a code looked at the bits of every open case: 100,000 took 45 ms. Each of a case's first
-- three codes has an index, and a case with more is in one by its bits; an intake of one code enters one. What no row
-- is read for is an expression, because an index over the array itself may not serve behind row-level security.
CREATE INDEX task_open_code_1_idx ON task (practice_id, (procedure_codes[1])) WHERE state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']) AND procedure_codes[1] IS NOT NULL;
CREATE INDEX task_open_code_2_idx ON task (practice_id, (procedure_codes[2])) WHERE state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']) AND procedure_codes[2] IS NOT NULL;
CREATE INDEX task_open_code_3_idx ON task (practice_id, (procedure_codes[3])) WHERE state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']) AND procedure_codes[3] IS NOT NULL;
CREATE INDEX task_open_codes_idx ON task (practice_id, filter_bits, id) WHERE state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']) AND procedure_codes[4] IS NOT NULL;

-- One payer's cases by its clock were all read and sorted: a page of twenty practices took 14 ms. No intake enters it.
CREATE INDEX task_payer_clock_idx ON task (practice_id, payer_id, state, payer_due_at, id, created_at) WHERE state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']) AND payer_due_at IS NOT NULL;
