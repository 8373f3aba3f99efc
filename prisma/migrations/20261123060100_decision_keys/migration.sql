-- A decision is made once however often its form arrives: the key was made with the form, and is written with the decision.
CREATE TABLE decision_key (
  person_id UUID NOT NULL,
  key UUID NOT NULL,
  practice_id TEXT NOT NULL,
  task_id UUID NOT NULL,
  intent TEXT NOT NULL,
  content_digest TEXT NOT NULL,
  answer TEXT NOT NULL,
  at TIMESTAMPTZ(6) NOT NULL,
  -- The person first: a key that somebody else used is as good as new.
  CONSTRAINT decision_key_pkey PRIMARY KEY (person_id, key)
);
