-- A subscription that ended here and stands at the payer, which is told so by the worker. Its secret is gone already.
CREATE TABLE ended_subscription (
  id UUID NOT NULL CONSTRAINT ended_subscription_pkey PRIMARY KEY,
  route_id UUID NOT NULL CONSTRAINT ended_subscription_route_id_fkey REFERENCES route (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  remote_id TEXT NOT NULL,
  ended_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  tries INTEGER NOT NULL DEFAULT 0,
  next_try_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp()
);
