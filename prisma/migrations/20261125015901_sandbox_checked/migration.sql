-- In a migration of its own, so that the tables are not locked while their rows are read.
ALTER TABLE practice VALIDATE CONSTRAINT practice_auto_review;
ALTER TABLE gate VALIDATE CONSTRAINT gate_auto_released;
