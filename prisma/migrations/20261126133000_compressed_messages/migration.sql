-- Messages are compressed before they are sealed. How much a reply may hold goes by a message's own bytes.

-- bytes of the body, before it is compressed and sealed; empty where an earlier program wrote it, which did not compress it
ALTER TABLE message ADD COLUMN size INTEGER;

-- From when on each way of sealing is written that the program of the release before cannot open.
CREATE TABLE seal_format (
  -- the first byte of a sealed value
  format SMALLINT NOT NULL CONSTRAINT seal_format_pkey PRIMARY KEY,
  written_from TIMESTAMPTZ(6) NOT NULL
);
COMMENT ON TABLE seal_format IS 'From when on values of a format are written: where a program of the release before may run beside, a day after the migration.';

-- Format 4: compressed with the dictionary. Where nothing was sealed yet, no earlier program is there to read it.
INSERT INTO seal_format (format, written_from)
SELECT 4, clock_timestamp() + CASE WHEN EXISTS (SELECT FROM practice_key) THEN interval '1 day' ELSE interval '0' END
ON CONFLICT DO NOTHING;
