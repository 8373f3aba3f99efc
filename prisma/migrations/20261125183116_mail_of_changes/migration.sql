-- Admins are told by mail of a change that waits for a second one of them.

ALTER TABLE mail DROP CONSTRAINT mail_kind_check;
ALTER TABLE mail ADD CONSTRAINT mail_kind_check
  CHECK (kind IN ('gate', 'expiring', 'needs-person', 'assigned', 'mention', 'ending', 'emergency', 'change', 'account')) NOT VALID;
ALTER TABLE mail VALIDATE CONSTRAINT mail_kind_check;

-- neither is about a case
ALTER TABLE mail DROP CONSTRAINT mail_account_check;
ALTER TABLE mail ADD CONSTRAINT mail_account_check
  CHECK ((kind IN ('account', 'change')) = (task_id IS NULL) AND (kind IN ('account', 'change')) = (practice_id IS NULL)) NOT VALID;
ALTER TABLE mail VALIDATE CONSTRAINT mail_account_check;

-- serves: the changes that wait, whose admins are told of them
CREATE INDEX change_request_waiting_idx ON change_request (expires_at) WHERE status = 'waiting';
