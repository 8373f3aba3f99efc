-- A database that takes no writes, or never says that it took one, serves no call. Whoever asks whether the service is
-- ready has one row written; there is never more than one.
CREATE TABLE readiness (
  id INTEGER NOT NULL CHECK (id = 1),
  asked_at TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT readiness_pkey PRIMARY KEY (id)
);
