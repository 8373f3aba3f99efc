-- Whether somebody is told by mail of what waits for them: as it comes, once an hour, or never.
ALTER TABLE person ADD COLUMN mail TEXT NOT NULL DEFAULT 'at-once' CHECK (mail IN ('at-once', 'digest', 'off'));

-- How far the record of a practice was read for mails.
CREATE TABLE mail_cursor (
  practice_id TEXT NOT NULL CONSTRAINT mail_cursor_pkey PRIMARY KEY
    CONSTRAINT mail_cursor_practice_id_fkey REFERENCES practice (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  seq BIGINT NOT NULL
);

-- One thing to tell one person, once; `about` is the gate or whatever else it is told of.
CREATE TABLE mail (
  id UUID NOT NULL CONSTRAINT mail_pkey PRIMARY KEY,
  person_id UUID NOT NULL CONSTRAINT mail_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  task_id UUID NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('gate', 'expiring', 'needs-person')),
  about TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('waiting', 'sent', 'dropped', 'failed')),
  due_at TIMESTAMPTZ(6) NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  lease_until TIMESTAMPTZ(6),
  problem TEXT,
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  sent_at TIMESTAMPTZ(6)
);
CREATE UNIQUE INDEX mail_person_id_kind_about_key ON mail (person_id, kind, about);
-- serves: the worker: whom to write to next, and what is old enough to go
CREATE INDEX mail_status_due_at_idx ON mail (status, due_at);
