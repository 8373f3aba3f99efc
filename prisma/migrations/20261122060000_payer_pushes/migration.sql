-- What a payer pushed is kept before it is acted on; until then it has not been heard.
ALTER TABLE payer_event ADD COLUMN heard_at TIMESTAMPTZ(6);
UPDATE payer_event SET heard_at = received_at;
-- serves: the worker: pushes nobody has heard yet
CREATE INDEX payer_event_heard_at_task_id_idx ON payer_event (heard_at, task_id);

-- How a payer reaches us on one route: the secret it must show, and what became of asking it to.
CREATE TABLE subscription (
  route_id UUID NOT NULL CONSTRAINT subscription_pkey PRIMARY KEY
    CONSTRAINT subscription_route_id_fkey REFERENCES route (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  secret BYTEA NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  next_try_at TIMESTAMPTZ(6) NOT NULL,
  problem TEXT,
  remote_id TEXT,
  subscribed_at TIMESTAMPTZ(6),
  confirmed_at TIMESTAMPTZ(6)
);
