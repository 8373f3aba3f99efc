-- Releases are claimed in turn between practices, and apart for each payer host, so that a payer that does not answer takes
-- no place from the others.

-- where the payer is reached, as host and port of its address; empty if the submission has none. The same host may serve
-- many payers and practices. Also empty where the program of the previous release released it
ALTER TABLE transmission ADD COLUMN payer_host TEXT NOT NULL DEFAULT '';

-- until when no other worker looks at it: a worker has it in hand and is about to claim it
ALTER TABLE transmission ADD COLUMN reserved_until TIMESTAMPTZ(6);

UPDATE transmission x SET payer_host = coalesce(lower(substring(r.url FROM '^https?://(?:[^/?#]*@)?([^/?#]+)')), '')
  FROM gate g LEFT JOIN route r ON r.id = g.route_id
 WHERE g.id = x.gate_id AND x.phase = 'released' AND NOT x.is_manual;

-- serves: the worker: the next releases of each practice and payer host
CREATE INDEX CONCURRENTLY transmission_due_idx ON transmission (practice_id, payer_host, claimable_at, gate_id)
  WHERE phase = 'released' AND NOT is_manual;

DROP INDEX CONCURRENTLY transmission_phase_is_manual_claimable_at_idx;

CREATE TABLE payer_outage (
  payer_host TEXT NOT NULL CONSTRAINT payer_outage_pkey PRIMARY KEY,
  -- when the first of the exchanges failed after which none succeeded
  since TIMESTAMPTZ(6) NOT NULL,
  -- why the last one failed: an error code or an HTTP status, never what anybody sent
  reason TEXT NOT NULL,
  -- when one exchange is next tried, and how often that was done
  try_at TIMESTAMPTZ(6) NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0
);
COMMENT ON TABLE payer_outage IS 'A payer host that does not answer. Workers submit nothing there and ask nothing, but for one exchange at a time; the row goes when that succeeds.';
