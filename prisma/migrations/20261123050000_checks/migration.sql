-- Warnings a practice only notes: its reviewers release over them without a word. Over any other they say why.
ALTER TABLE practice ADD COLUMN noted_warnings TEXT[] NOT NULL DEFAULT '{no-attachment}';

-- The warnings somebody released over, and why.
ALTER TABLE vote
  ADD COLUMN warnings TEXT[] NOT NULL DEFAULT '{}',
  ADD COLUMN reason BYTEA;
