-- A case that is over, once for each of its codes: found by a code that hardly any case has as fast as by one that most
-- have. Filled when a case comes to its end, so that an intake writes nothing here. An index over the array itself
-- would not serve, for its operators may not run before a policy's own.
CREATE TABLE closed_code (
    task_id UUID NOT NULL,
    code TEXT NOT NULL,
    practice_id TEXT NOT NULL,
    changed_at TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT closed_code_pkey PRIMARY KEY (task_id, code),
    CONSTRAINT closed_code_task_id_fkey FOREIGN KEY (task_id) REFERENCES task (id) ON DELETE CASCADE ON UPDATE CASCADE
);

INSERT INTO closed_code (task_id, code, practice_id, changed_at)
SELECT DISTINCT t.id, c.code, t.practice_id, t.changed_at FROM task t CROSS JOIN unnest(t.procedure_codes) AS c (code)
 WHERE t.state = ANY (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);

CREATE INDEX closed_code_list_idx ON closed_code (practice_id, code, changed_at, task_id);
