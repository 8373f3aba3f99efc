-- Notifications by mail. They follow from the audit log, which is read up to a cursor.

CREATE TABLE mail_cursor (
  practice_id TEXT NOT NULL CONSTRAINT mail_cursor_pkey PRIMARY KEY
    CONSTRAINT mail_cursor_practice_id_fkey REFERENCES practice (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  seq BIGINT NOT NULL
);
COMMENT ON TABLE mail_cursor IS 'Up to which audit entry of a practice mail was made.';

CREATE TABLE account_mail_cursor (
  chain TEXT NOT NULL CONSTRAINT account_mail_cursor_pkey PRIMARY KEY,
  seq BIGINT NOT NULL
);
COMMENT ON TABLE account_mail_cursor IS 'The same for the audit entries about people''s accounts.';

CREATE TABLE mail (
  id UUID NOT NULL CONSTRAINT mail_pkey PRIMARY KEY,
  person_id UUID NOT NULL CONSTRAINT mail_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- both empty for mail about the person's own account
  practice_id TEXT,
  task_id UUID,
  kind TEXT NOT NULL CHECK (kind IN ('gate', 'expiring', 'needs-person', 'account')),
  -- the gate, or whatever else it is about
  about TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('waiting', 'sent', 'dropped', 'failed')),
  due_at TIMESTAMPTZ(6) NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  -- until when the worker that took it may send it
  lease_until TIMESTAMPTZ(6),
  problem TEXT,
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  sent_at TIMESTAMPTZ(6),
  CONSTRAINT mail_account_check CHECK ((kind = 'account') = (task_id IS NULL) AND (kind = 'account') = (practice_id IS NULL))
);
COMMENT ON TABLE mail IS 'One thing to tell one person by mail.';
-- serves: a person is told of a thing once
CREATE UNIQUE INDEX mail_person_id_kind_about_key ON mail (person_id, kind, about);
-- serves: the worker: whom to write to next, and what is old enough to delete
CREATE INDEX mail_status_due_at_idx ON mail (status, due_at);
