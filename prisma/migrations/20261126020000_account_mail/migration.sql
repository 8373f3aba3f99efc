-- Mail to somebody of a change in how they sign in: about no practice and no case.
ALTER TABLE mail ALTER COLUMN practice_id DROP NOT NULL, ALTER COLUMN task_id DROP NOT NULL;
ALTER TABLE mail DROP CONSTRAINT mail_kind_check;
ALTER TABLE mail ADD CONSTRAINT mail_kind_check CHECK (kind IN ('gate', 'expiring', 'needs-person', 'account'));
ALTER TABLE mail ADD CONSTRAINT mail_account_check CHECK ((kind = 'account') = (task_id IS NULL) AND (kind = 'account') = (practice_id IS NULL));

-- How far the record of people was read for mails.
CREATE TABLE account_mail_cursor (
  chain TEXT NOT NULL CONSTRAINT account_mail_cursor_pkey PRIMARY KEY,
  seq BIGINT NOT NULL
);
