-- The ledgers that workers keep of their submissions outside the database, by their ids. A worker without one that finds
-- another known here may be looking at a restored backup, and submits nothing until it is told to.
CREATE TABLE submission_ledger (
  id        UUID        PRIMARY KEY,
  known_at  TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp()
);

-- Chains of the audit record that lack an entry a worker has seen. Nothing is submitted or accepted for their practices
-- until `pa recover`; one that practices share stops all of them. The name is no practice_id, for everybody has to see it.
CREATE TABLE record_stop (
  chain     TEXT        PRIMARY KEY,
  is_shared BOOLEAN     NOT NULL,
  seq       BIGINT      NOT NULL,
  hash      TEXT        NOT NULL,
  at        TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp()
);
