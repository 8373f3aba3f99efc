-- Lists of the queue that people keep under a name.

CREATE TABLE saved_view (
  id UUID NOT NULL CONSTRAINT saved_view_pkey PRIMARY KEY,
  person_id UUID NOT NULL CONSTRAINT saved_view_person_id_fkey REFERENCES person (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name TEXT NOT NULL CHECK (char_length(name) BETWEEN 1 AND 40),
  -- of the list's address, without what was searched for
  query TEXT NOT NULL CHECK (char_length(query) <= 500),
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE saved_view IS 'A list of the queue that a person keeps for themselves: a view, filters and an order, by ids.';
-- serves: a person's saved views
CREATE INDEX saved_view_person_id_idx ON saved_view (person_id);

CREATE TABLE shared_view (
  id UUID NOT NULL CONSTRAINT shared_view_pkey PRIMARY KEY,
  practice_id TEXT NOT NULL CONSTRAINT shared_view_practice_id_fkey REFERENCES practice (id) ON DELETE CASCADE ON UPDATE CASCADE,
  -- who shared it
  person_id UUID NOT NULL,
  name TEXT NOT NULL CHECK (char_length(name) BETWEEN 1 AND 40),
  -- as in saved_view
  query TEXT NOT NULL CHECK (char_length(query) <= 500),
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE shared_view IS 'A list of the queue that the reviewers of a practice share.';
-- serves: the shared views of a practice
CREATE INDEX shared_view_practice_id_idx ON shared_view (practice_id);
