-- These were filled in by whichever process wrote the row, by its own clock: a server 55 minutes slow opened sessions that
-- had been unused for 55 minutes. The database fills them in, by the same clock that it is asked about them.
ALTER TABLE practice ALTER COLUMN created_at SET DEFAULT clock_timestamp();
ALTER TABLE mail ALTER COLUMN created_at SET DEFAULT clock_timestamp();
ALTER TABLE channel ALTER COLUMN created_at SET DEFAULT clock_timestamp();
ALTER TABLE channel_key ALTER COLUMN created_at SET DEFAULT clock_timestamp();
ALTER TABLE person ALTER COLUMN created_at SET DEFAULT clock_timestamp();
ALTER TABLE route ALTER COLUMN created_at SET DEFAULT clock_timestamp();
ALTER TABLE session ALTER COLUMN created_at SET DEFAULT clock_timestamp(),
                    ALTER COLUMN seen_at SET DEFAULT clock_timestamp(),
                    ALTER COLUMN proved_at SET DEFAULT clock_timestamp();
