-- What a payer pushed and no one case of its practice was found for. A reviewer reads it and says that it is handled.
CREATE TABLE unmatched_push (
  id UUID NOT NULL CONSTRAINT unmatched_push_pkey PRIMARY KEY,
  route_id UUID NOT NULL CONSTRAINT unmatched_push_route_id_fkey REFERENCES route (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  payer_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  size INTEGER NOT NULL,
  payload BYTEA NOT NULL,
  received_at TIMESTAMPTZ(6) NOT NULL,
  handled_at TIMESTAMPTZ(6),
  handled_by UUID CONSTRAINT unmatched_push_handled_by_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX unmatched_push_route_id_digest_key ON unmatched_push (route_id, digest);
CREATE INDEX unmatched_push_open_idx ON unmatched_push (practice_id, payer_id, received_at, id) WHERE handled_at IS NULL;

-- A reviewer is to look at this answer as it was received: it was not understood, or came when nothing was awaited.
ALTER TABLE payer_event ADD COLUMN unread BOOLEAN NOT NULL DEFAULT false;
UPDATE payer_event SET unread = true WHERE kind = 'answer.unknown' AND payload IS NOT NULL;
