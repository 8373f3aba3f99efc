-- After a denial or a partial approval: what is known and was done about contesting it, and by when to act.

-- until when and how the determination can be contested, and the peer-to-peer review, sealed; empty where nothing is recorded
ALTER TABLE task ADD COLUMN recourse BYTEA;
-- For lists only: whether a determination against the request is neither contested nor accepted
ALTER TABLE task ADD COLUMN recourse_open BOOLEAN NOT NULL DEFAULT false;
-- and by when to act on it: the payer's last day to appeal, or a scheduled peer-to-peer review before that
ALTER TABLE task ADD COLUMN act_by TIMESTAMPTZ(6);
-- serves: the view of denied cases: what must be acted on first
CREATE INDEX CONCURRENTLY task_recourse_idx ON task (practice_id, act_by, id) WHERE recourse_open;
