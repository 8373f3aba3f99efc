-- Workers report that they are at work, so that a service all of whose workers have stopped says so.
CREATE TABLE worker_heartbeat (
  worker_id UUID NOT NULL CONSTRAINT worker_heartbeat_pkey PRIMARY KEY,
  -- the machine it runs on, by its own name
  host TEXT NOT NULL,
  started_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  beat_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  -- submissions and inquiries under way
  in_hand INTEGER NOT NULL,
  -- false while it submits nothing, because sending is off or the audit log lacks entries
  is_sending BOOLEAN NOT NULL
);
COMMENT ON TABLE worker_heartbeat IS 'When each worker last reported. A row goes when its worker ends in order, or a day after its last report.';
