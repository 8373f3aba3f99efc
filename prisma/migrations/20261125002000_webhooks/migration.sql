-- Webhooks: an agent is told that a task of its changed, by its id and state alone.

CREATE TABLE channel_webhook (
  channel_id UUID NOT NULL CONSTRAINT channel_webhook_pkey PRIMARY KEY
    CONSTRAINT channel_webhook_channel_id_fkey REFERENCES channel (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- the hosts its agent may name; an agent whose channel has no row here is sent nothing
  hosts TEXT[] NOT NULL CHECK (cardinality(hosts) > 0),
  -- sealed; signs every delivery
  secret BYTEA NOT NULL,
  -- sealed; signs every delivery as well until then
  earlier_secret BYTEA,
  earlier_until TIMESTAMPTZ(6),
  CONSTRAINT channel_webhook_earlier CHECK ((earlier_secret IS NULL) = (earlier_until IS NULL))
);
COMMENT ON TABLE channel_webhook IS 'Where a channel may have changes of its tasks delivered, and what they are signed with.';

CREATE TABLE task_webhook (
  task_id UUID NOT NULL CONSTRAINT task_webhook_pkey PRIMARY KEY
    CONSTRAINT task_webhook_task_id_fkey REFERENCES task (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  channel_id UUID NOT NULL CONSTRAINT task_webhook_channel_id_fkey REFERENCES channel (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- sealed, since a client may have put a secret of its own in it
  url BYTEA NOT NULL,
  -- sealed; what the client wants to see in each delivery
  token BYTEA
);
COMMENT ON TABLE task_webhook IS 'Where the changes of a task are delivered, as the last message said that named a place.';

CREATE TABLE webhook_delivery (
  id UUID NOT NULL CONSTRAINT webhook_delivery_pkey PRIMARY KEY,
  task_id UUID NOT NULL CONSTRAINT webhook_delivery_task_id_fkey REFERENCES task (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  channel_id UUID NOT NULL CONSTRAINT webhook_delivery_channel_id_fkey REFERENCES channel (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- the task after the change that is told
  version INTEGER NOT NULL,
  state TEXT NOT NULL,
  changed_at TIMESTAMPTZ(6) NOT NULL,
  -- superseded: a later change of the task is told instead
  status TEXT NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'delivered', 'failed', 'superseded')),
  tries INTEGER NOT NULL DEFAULT 0,
  -- when it is tried next; while it is being tried, when that counts as failed
  due_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  tried_at TIMESTAMPTZ(6),
  -- of the last try: the HTTP status, or why there was none
  http_status INTEGER,
  problem TEXT,
  -- a person asked for it to be delivered again, whatever came later
  is_resent BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT webhook_delivery_task_id_version_key UNIQUE (task_id, version)
);
COMMENT ON TABLE webhook_delivery IS 'The outbox of webhooks: written in the transaction that changed the task, drained by the worker, kept for 30 days.';
-- serves: the deliveries that are due
CREATE INDEX webhook_delivery_due_at_idx ON webhook_delivery (due_at) WHERE status = 'waiting';
-- serves: the deliveries of a channel, the latest first
CREATE INDEX webhook_delivery_channel_id_changed_at_idx ON webhook_delivery (channel_id, changed_at);
-- serves: deleting what is older than 30 days
CREATE INDEX webhook_delivery_changed_at_idx ON webhook_delivery (changed_at);

-- whether a row of task_webhook names this task, so that the change of any other task reads none
ALTER TABLE task ADD COLUMN has_webhook BOOLEAN NOT NULL DEFAULT false;
