-- What payers answer and push, what they decided, and the subscriptions by which they reach us.

CREATE TABLE payer_event (
  id UUID NOT NULL CONSTRAINT payer_event_pkey PRIMARY KEY,
  task_id UUID NOT NULL CONSTRAINT payer_event_task_id_fkey REFERENCES task (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  -- the gate whose submission it answers, if any
  gate_id UUID,
  -- how it came and what it is, as in 'answer.unknown'
  kind TEXT NOT NULL,
  -- of the bytes
  digest TEXT NOT NULL,
  -- the bytes as received, sealed
  payload BYTEA,
  -- when, by the payer's word
  payer_at TIMESTAMPTZ(6),
  received_at TIMESTAMPTZ(6) NOT NULL,
  -- when it was acted on; empty for a push that was kept and is still to be processed
  heard_at TIMESTAMPTZ(6),
  -- a reviewer must look at it as received: it was not understood, or came when nothing was awaited
  unread BOOLEAN NOT NULL DEFAULT false
);
COMMENT ON TABLE payer_event IS 'Something a payer sent about a task, kept before it is acted on.';
-- serves: a repeated payer event is recorded once
CREATE UNIQUE INDEX payer_event_task_id_kind_digest_key ON payer_event (task_id, kind, digest);
-- serves: the worker: pushes still to be processed
CREATE INDEX payer_event_heard_at_task_id_idx ON payer_event (heard_at, task_id);

CREATE TABLE determination (
  id UUID NOT NULL CONSTRAINT determination_pkey PRIMARY KEY,
  task_id UUID NOT NULL CONSTRAINT determination_task_id_fkey REFERENCES task (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('approved', 'modified', 'partially-approved', 'denied', 'not-required')),
  environment TEXT NOT NULL CHECK (environment IN ('live', 'test')),
  -- lines, codes and authorization number, sealed
  document BYTEA NOT NULL,
  -- when, by the payer's word; empty if it gave no time
  decided_at TIMESTAMPTZ(6),
  received_at TIMESTAMPTZ(6) NOT NULL,
  -- the earlier determination that it replaces
  supersedes UUID
);
COMMENT ON TABLE determination IS 'What a payer decided. A newer one supersedes an older one, which stays.';
-- serves: the determinations of a task
CREATE INDEX determination_task_id_received_at_idx ON determination (task_id, received_at);

CREATE TABLE subscription (
  route_id UUID NOT NULL CONSTRAINT subscription_pkey PRIMARY KEY
    CONSTRAINT subscription_route_id_fkey REFERENCES route (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  -- what the payer must show when it pushes, sealed
  secret BYTEA NOT NULL,
  -- attempts to subscribe, when the next one is due, and what went wrong last
  tries INTEGER NOT NULL DEFAULT 0,
  next_try_at TIMESTAMPTZ(6) NOT NULL,
  problem TEXT,
  -- the payer's id of it
  remote_id TEXT,
  subscribed_at TIMESTAMPTZ(6),
  -- when the payer first used it
  confirmed_at TIMESTAMPTZ(6)
);
COMMENT ON TABLE subscription IS 'How a payer pushes to us over one payer connection.';

CREATE TABLE ended_subscription (
  id UUID NOT NULL CONSTRAINT ended_subscription_pkey PRIMARY KEY,
  route_id UUID NOT NULL CONSTRAINT ended_subscription_route_id_fkey REFERENCES route (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  remote_id TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  next_try_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE ended_subscription IS 'A subscription that ended here and that the worker still has to end at the payer. Its secret is gone.';

CREATE TABLE unmatched_push (
  id UUID NOT NULL CONSTRAINT unmatched_push_pkey PRIMARY KEY,
  route_id UUID NOT NULL CONSTRAINT unmatched_push_route_id_fkey REFERENCES route (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  payer_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  -- bytes, before sealing
  size INTEGER NOT NULL,
  -- sealed
  payload BYTEA NOT NULL,
  received_at TIMESTAMPTZ(6) NOT NULL,
  handled_at TIMESTAMPTZ(6),
  handled_by UUID CONSTRAINT unmatched_push_handled_by_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE
);
COMMENT ON TABLE unmatched_push IS 'A push for which no single task of the practice was found. A reviewer reads it and marks it as handled.';
-- serves: the same bytes are kept once
CREATE UNIQUE INDEX unmatched_push_route_id_digest_key ON unmatched_push (route_id, digest);
-- serves: what waits for the reviewers of a practice, and how much of it
CREATE INDEX unmatched_push_open_idx ON unmatched_push (practice_id, payer_id, received_at, id) WHERE handled_at IS NULL;
