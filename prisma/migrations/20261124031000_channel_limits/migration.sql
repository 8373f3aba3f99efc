-- How many calls a channel may make in a second and have under way at once, over all processes; NULL is no limit.
ALTER TABLE channel ADD COLUMN calls_per_second INTEGER CHECK (calls_per_second BETWEEN 1 AND 10000);
ALTER TABLE channel ADD COLUMN calls_at_once INTEGER CHECK (calls_at_once BETWEEN 1 AND 1000);

-- What each channel may still call; a process takes some in advance. Unlogged: after a crash every channel begins anew.
CREATE UNLOGGED TABLE call_allowance (
  channel_id UUID NOT NULL CONSTRAINT call_allowance_pkey PRIMARY KEY,
  calls DOUBLE PRECISION NOT NULL,
  taken INTEGER NOT NULL,
  at TIMESTAMPTZ(6) NOT NULL
);

-- How many calls at once each process holds room for, as `{process: [calls, until]}`, so that one row decides.
CREATE UNLOGGED TABLE call_room (
  channel_id UUID NOT NULL CONSTRAINT call_room_pkey PRIMARY KEY,
  held JSONB NOT NULL
);
