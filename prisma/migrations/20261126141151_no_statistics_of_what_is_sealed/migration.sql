-- ANALYZE keeps no samples of what is never looked for by its value. Of long values it kept a hundred of each column: a
-- kilobyte of write-ahead log a case in a young database, and details of the audit log in clear outside it.

ALTER TABLE task ALTER COLUMN patient SET STATISTICS 0, ALTER COLUMN information_request SET STATISTICS 0,
  ALTER COLUMN recourse SET STATISTICS 0, ALTER COLUMN remark SET STATISTICS 0;

ALTER TABLE task_event ALTER COLUMN facts SET STATISTICS 0;

ALTER TABLE revision ALTER COLUMN service_review SET STATISTICS 0;

ALTER TABLE message ALTER COLUMN body SET STATISTICS 0;

ALTER TABLE gate ALTER COLUMN calls SET STATISTICS 0, ALTER COLUMN purpose SET STATISTICS 0,
  ALTER COLUMN reason SET STATISTICS 0;

ALTER TABLE payer_event ALTER COLUMN payload SET STATISTICS 0;

ALTER TABLE determination ALTER COLUMN document SET STATISTICS 0;

ALTER TABLE decision_receipt ALTER COLUMN document SET STATISTICS 0;

ALTER TABLE audit_entry ALTER COLUMN detail SET STATISTICS 0, ALTER COLUMN salt SET STATISTICS 0,
  ALTER COLUMN content_hash SET STATISTICS 0, ALTER COLUMN prev_hash SET STATISTICS 0;
