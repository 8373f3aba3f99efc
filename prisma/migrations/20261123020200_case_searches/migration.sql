-- A search for a member, kept for minutes, so that its results have an address that says nothing of the member.
CREATE TABLE case_search (
  id UUID NOT NULL CONSTRAINT case_search_pkey PRIMARY KEY,
  person_id UUID NOT NULL,
  text BYTEA NOT NULL,
  expires_at TIMESTAMPTZ(6) NOT NULL
);
-- serves: a person's earlier searches, which go when the next one comes
CREATE INDEX case_search_person_id_idx ON case_search (person_id);
