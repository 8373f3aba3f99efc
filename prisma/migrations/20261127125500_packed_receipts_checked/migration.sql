-- In a migration of its own, so that the table is not locked while its rows are read.
ALTER TABLE decision_receipt VALIDATE CONSTRAINT decision_receipt_kept_once;

ALTER TABLE decision_receipt VALIDATE CONSTRAINT decision_receipt_follows;
