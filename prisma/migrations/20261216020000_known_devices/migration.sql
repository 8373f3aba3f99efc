-- Who took every try of an account kept its owner out. A device somebody signed in on is counted apart from strangers.
CREATE TABLE known_device (
  person_id UUID NOT NULL CONSTRAINT known_device_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT,
  hash BYTEA NOT NULL,
  seen_at TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT known_device_pkey PRIMARY KEY (person_id, hash)
);
CREATE INDEX known_device_hash_idx ON known_device (hash);
