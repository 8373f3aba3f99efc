CREATE TABLE channel_call (
  -- that of the request, by which its caller and the log name it
  id UUID NOT NULL CONSTRAINT channel_call_pkey PRIMARY KEY,
  channel_id UUID NOT NULL CONSTRAINT channel_call_channel_id_fkey REFERENCES channel (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  at TIMESTAMPTZ(6) NOT NULL,
  -- empty for one that is not served
  method TEXT,
  -- the permission that the call asked for, where it named one
  atom TEXT,
  -- the task it was answered with; empty where it was answered with an error
  task_id UUID,
  -- the error, and the status of the reply
  code INTEGER,
  http INTEGER NOT NULL,
  -- from its arrival to its reply
  ms INTEGER NOT NULL
);
COMMENT ON TABLE channel_call IS 'The latest calls of a channel that were let in, but for polls that were answered.';
-- serves: the latest calls on the page of a channel's developer, and deleting the others
CREATE INDEX channel_call_channel_id_at_id_idx ON channel_call (channel_id, at, id);
