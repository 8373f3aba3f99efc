-- A renewal or extension (X12 certification types R and 4) is a request of its own, linked to the one it goes on from.

-- the request of the same practice whose authorization this one renews or extends; its verb checks that it is there
ALTER TABLE task ADD COLUMN earlier_task_id UUID;

-- serves: the requests that renew or extend a case
CREATE INDEX task_earlier_task_id_idx ON task (earlier_task_id, practice_id, created_at) WHERE earlier_task_id IS NOT NULL;
