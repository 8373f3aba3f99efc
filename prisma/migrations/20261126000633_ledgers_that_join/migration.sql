-- A worker says which database it has compared with its ledger, so that another one may begin a ledger beside it.
ALTER TABLE worker_heartbeat
  -- the database it compared last and found complete; empty while it lacks an entry, or nothing was compared
  ADD COLUMN compared_identity TEXT,
  -- releases from before then are held again; empty together with compared_identity
  ADD COLUMN held_before TIMESTAMPTZ(6);
