-- Which trace a gate belongs to, where traces are on: the agent's call, its release and its submission are in different
-- processes and hours apart.
CREATE TABLE gate_trace (
  gate_id UUID NOT NULL CONSTRAINT gate_trace_pkey PRIMARY KEY
    CONSTRAINT gate_trace_gate_id_fkey REFERENCES gate (id) ON DELETE CASCADE ON UPDATE CASCADE,
  practice_id TEXT NOT NULL,
  -- of the call that opened the gate, as W3C Trace Context writes it; ids alone
  traceparent TEXT NOT NULL CHECK (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$')
);
COMMENT ON TABLE gate_trace IS 'The trace that a gate belongs to. Empty while traces are off; nothing depends on it.';
