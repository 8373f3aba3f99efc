-- How often somebody signed in was refused within an hour, so that a loop of theirs is a few entries of the record.
-- Without a foreign key: a refusal must not wait for whoever holds the person's row.
CREATE TABLE person_denial (
  person_id UUID NOT NULL CONSTRAINT person_denial_pkey PRIMARY KEY,
  count INTEGER NOT NULL,
  first_at TIMESTAMPTZ(6) NOT NULL,
  last_at TIMESTAMPTZ(6) NOT NULL
);
