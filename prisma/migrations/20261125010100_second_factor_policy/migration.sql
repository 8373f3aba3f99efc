-- Whether its reviewers do nothing before they have shown a second factor in their session.
ALTER TABLE practice ADD COLUMN reviewers_second_factor BOOLEAN NOT NULL DEFAULT false;
