-- Lists of closed cases narrowed to the few of an environment or a channel: without an index of their own, all closed
-- cases of a practice were read to find that none is among them.

-- serves: the views of cases that are over, narrowed to test or live ones
CREATE INDEX CONCURRENTLY task_closed_at_environment_idx
  ON task (practice_id, environment, state, closed_at, id, created_at)
  WHERE state = ANY (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);

-- serves: the views of cases that are over, narrowed to a channel
CREATE INDEX CONCURRENTLY task_closed_at_channel_idx
  ON task (practice_id, channel_id, state, closed_at, id, created_at)
  WHERE state = ANY (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']);
