-- What being in a group of the provider gives: a role in one practice, or over every one.
CREATE TABLE group_role (
  id UUID NOT NULL CONSTRAINT group_role_pkey PRIMARY KEY,
  issuer TEXT NOT NULL,
  group_name TEXT NOT NULL CONSTRAINT group_role_group_name_length CHECK (length(group_name) BETWEEN 1 AND 255),
  role TEXT NOT NULL CHECK (role IN ('reviewer', 'admin', 'auditor')),
  practice_id TEXT CONSTRAINT group_role_practice_id_fkey REFERENCES practice (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- The administrator who said so, to whom it gives nothing; none where it was the operator.
  made_by UUID CONSTRAINT group_role_made_by_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT group_role_reviewer_check CHECK (role <> 'reviewer' OR practice_id IS NOT NULL)
);
-- serves: a group gives a role in a practice once, and over every practice once
CREATE UNIQUE INDEX group_role_once_key ON group_role (issuer, group_name, role, practice_id);
CREATE UNIQUE INDEX group_role_everywhere_key ON group_role (issuer, group_name, role) WHERE practice_id IS NULL;

-- A role is held by hand, by a group, or by both, and goes when neither gives it any more.
ALTER TABLE person_role ADD COLUMN by_hand BOOLEAN NOT NULL DEFAULT true, ADD COLUMN by_group BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE person_role ADD CONSTRAINT person_role_held_check CHECK (by_hand OR by_group);
ALTER TABLE person ADD COLUMN everywhere_by_group TEXT[] NOT NULL DEFAULT '{}';
ALTER TABLE person ADD CONSTRAINT person_everywhere_by_group_check CHECK (everywhere_by_group <@ ARRAY['admin', 'auditor']);

-- The groups the provider named at the last sign-in.
ALTER TABLE person_identity ADD COLUMN groups TEXT[] NOT NULL DEFAULT '{}';
