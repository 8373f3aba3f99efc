-- A signed receipt of each decision a person made at a gate, chained per practice. Names staff, never patients.
CREATE TABLE decision_receipt (
  id UUID NOT NULL CONSTRAINT decision_receipt_pkey PRIMARY KEY,
  practice_id TEXT NOT NULL,
  seq INTEGER NOT NULL CHECK (seq > 0),
  task_id UUID NOT NULL CONSTRAINT decision_receipt_task_id_fkey REFERENCES task (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  gate_id UUID NOT NULL,
  decision TEXT NOT NULL CHECK (decision IN ('released', 'declined', 'sent-back', 'recalled', 'adopted')),
  decided_at TIMESTAMPTZ(6) NOT NULL,
  audit_seq BIGINT NOT NULL,
  kid TEXT NOT NULL,
  -- The canonical bytes, exactly: they are what is signed and hashed.
  document TEXT NOT NULL
);

-- serves: the last link of a practice's chain, and its export in order; two receipts never have the same place
CREATE UNIQUE INDEX decision_receipt_practice_id_seq_key ON decision_receipt (practice_id, seq);
-- serves: the receipts on the case page
CREATE INDEX decision_receipt_task_id_idx ON decision_receipt (task_id);

CREATE FUNCTION decision_receipt_refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'decision receipts are never changed or removed' USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER decision_receipt_no_change BEFORE UPDATE OR DELETE ON decision_receipt FOR EACH ROW EXECUTE FUNCTION decision_receipt_refuse();
CREATE TRIGGER decision_receipt_no_truncate BEFORE TRUNCATE ON decision_receipt FOR EACH STATEMENT EXECUTE FUNCTION decision_receipt_refuse();
