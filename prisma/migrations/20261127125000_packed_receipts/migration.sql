-- A receipt is compressed, which takes less than half the room.

-- the same as document, compressed; one of the two is empty
ALTER TABLE decision_receipt ADD COLUMN packed BYTEA;

-- It is empty only from the time on that seal_format names below.
-- squawk-ignore ban-drop-not-null
ALTER TABLE decision_receipt ALTER COLUMN document DROP NOT NULL;

ALTER TABLE decision_receipt ADD CONSTRAINT decision_receipt_kept_once CHECK (num_nonnulls(document, packed) = 1) NOT VALID;

-- The release before reads text alone: to it, a packed receipt is none, and it would begin the practice's receipts anew.
ALTER TABLE decision_receipt ADD CONSTRAINT decision_receipt_follows
  CHECK (seq = 1 OR document NOT LIKE '%"previousReceiptHash":null%') NOT VALID;

ALTER TABLE decision_receipt ALTER COLUMN packed SET STATISTICS 0;

-- Format 5: a receipt, compressed. Where nothing was sealed yet, no earlier program is there to read one.
INSERT INTO seal_format (format, written_from)
SELECT 5, clock_timestamp() + CASE WHEN EXISTS (SELECT FROM practice_key) THEN interval '1 day' ELSE interval '0' END
ON CONFLICT DO NOTHING;

COMMENT ON TABLE seal_format IS 'From when on values of a format are written, sealed ones and receipts: where a program of the release before may run beside, a day after the migration.';
