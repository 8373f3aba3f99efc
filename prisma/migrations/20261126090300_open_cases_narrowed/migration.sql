-- Lists of open cases narrowed to the few of an environment: without an index of their own, all open cases of a practice
-- were read to find that none is among them. It has no order, so that it serves every view and sort: where an environment
-- has few open cases, they are gathered and sorted; where it has many, they are soon met along the list's own index.

-- serves: whether an environment has few open cases, and then the views narrowed to it, with their counts
CREATE INDEX CONCURRENTLY task_open_environment_idx ON task (practice_id, environment, state, id)
  WHERE state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);
