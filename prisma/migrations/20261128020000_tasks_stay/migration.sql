-- A case is never deleted, and keeps its id: from here on that holds whoever asks.
CREATE FUNCTION task_refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'cases are never removed and keep their ids' USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER task_stays BEFORE DELETE OR UPDATE OF id ON task FOR EACH ROW EXECUTE FUNCTION task_refuse();

-- So what is written together with its case, in one statement or behind the case's lock, needs nobody to look whether
-- the case is there, which was a twelfth of an intake's work. Gates keep theirs: they may be opened long after.
ALTER TABLE message DROP CONSTRAINT message_task_id_fkey;
ALTER TABLE revision DROP CONSTRAINT revision_task_id_fkey;
