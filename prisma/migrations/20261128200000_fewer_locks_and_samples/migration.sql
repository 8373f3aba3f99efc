-- A case writes fewer bytes to the write-ahead log: fewer locks of rows, and fewer samples of ids.

-- A trigger before an update locks the row first, with a record of its own in the log, whatever the trigger then does. So none of
-- task is before its update any more. The program writes `closed_at` itself, and this sees to it where another writer did not.
CREATE FUNCTION task_closed_follow() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  v_closed_at TIMESTAMPTZ(6);
BEGIN
  IF NEW.state = ANY (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed']) THEN v_closed_at := NEW.changed_at; END IF;
  IF NEW.closed_at IS DISTINCT FROM v_closed_at THEN
    UPDATE task SET closed_at = v_closed_at WHERE id = NEW.id;
  END IF;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION task_closed_follow IS 'Keeps task.closed_at, by which lists of closed cases are sorted, where who wrote the task did not, such as the release before. Called by the trigger task_closes.';

CREATE OR REPLACE TRIGGER task_closes AFTER INSERT OR UPDATE ON task FOR EACH ROW EXECUTE FUNCTION task_closed_follow();

DROP FUNCTION task_close();

CREATE TRIGGER task_keeps_id AFTER UPDATE OF id ON task FOR EACH ROW EXECUTE FUNCTION task_refuse();

CREATE OR REPLACE TRIGGER task_stays BEFORE DELETE ON task FOR EACH ROW EXECUTE FUNCTION task_refuse();

COMMENT ON FUNCTION task_refuse IS 'Refuses to delete a task or change its id, whoever asks. Called by the triggers task_stays and task_keeps_id.';

-- Ids are looked for one by one, so ANALYZE counts them and keeps no hundred of each, which it wrote to the log whenever a table had
-- grown.
ALTER TABLE task ALTER COLUMN id SET STATISTICS 1, ALTER COLUMN context_id SET STATISTICS 1,
  ALTER COLUMN gate_id SET STATISTICS 1, ALTER COLUMN determination_id SET STATISTICS 1,
  ALTER COLUMN short_id SET STATISTICS 1, ALTER COLUMN reference SET STATISTICS 1;

ALTER TABLE task_event ALTER COLUMN task_id SET STATISTICS 1;

ALTER TABLE audit_entry ALTER COLUMN task_id SET STATISTICS 1;

ALTER TABLE revision ALTER COLUMN task_id SET STATISTICS 1;

ALTER TABLE message ALTER COLUMN id SET STATISTICS 1, ALTER COLUMN task_id SET STATISTICS 1,
  ALTER COLUMN message_id SET STATISTICS 1;

ALTER TABLE gate ALTER COLUMN id SET STATISTICS 1, ALTER COLUMN task_id SET STATISTICS 1;

ALTER TABLE vote ALTER COLUMN gate_id SET STATISTICS 1;

ALTER TABLE decision_key ALTER COLUMN key SET STATISTICS 1, ALTER COLUMN task_id SET STATISTICS 1;

ALTER TABLE decision_receipt ALTER COLUMN id SET STATISTICS 1, ALTER COLUMN task_id SET STATISTICS 1,
  ALTER COLUMN gate_id SET STATISTICS 1;

ALTER TABLE transmission ALTER COLUMN gate_id SET STATISTICS 1, ALTER COLUMN task_id SET STATISTICS 1,
  ALTER COLUMN reference SET STATISTICS 1;

ALTER TABLE release_due ALTER COLUMN gate_id SET STATISTICS 1, ALTER COLUMN task_id SET STATISTICS 1;

ALTER TABLE submission_in_hand ALTER COLUMN gate_id SET STATISTICS 1, ALTER COLUMN task_id SET STATISTICS 1;

ALTER TABLE next_inquiry ALTER COLUMN task_id SET STATISTICS 1;

ALTER TABLE payer_event ALTER COLUMN id SET STATISTICS 1, ALTER COLUMN task_id SET STATISTICS 1,
  ALTER COLUMN gate_id SET STATISTICS 1;

ALTER TABLE determination ALTER COLUMN id SET STATISTICS 1, ALTER COLUMN task_id SET STATISTICS 1;

ALTER TABLE closed_code ALTER COLUMN task_id SET STATISTICS 1;

ALTER TABLE case_token ALTER COLUMN task_id SET STATISTICS 1;

ALTER TABLE channel_call ALTER COLUMN id SET STATISTICS 1, ALTER COLUMN task_id SET STATISTICS 1;

-- The 25 latest calls of a channel are there to look at: after a crash of
-- the database they begin anew. What a call changed has its entries in the audit log.
ALTER TABLE channel_call SET UNLOGGED;

COMMENT ON TABLE channel_call IS 'The latest calls of a channel that were let in, but for polls that were answered. Not in the write-ahead log: empty after a crash and on a standby that was promoted.';
