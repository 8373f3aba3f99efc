-- A role is held in one practice, or over every one; nobody reviews for practices that are not named.
ALTER TABLE person_practice RENAME TO person_role;
ALTER TABLE person_role RENAME CONSTRAINT person_practice_person_id_fkey TO person_role_person_id_fkey;
ALTER TABLE person_role RENAME CONSTRAINT person_practice_practice_id_fkey TO person_role_practice_id_fkey;
ALTER TABLE person_role DROP CONSTRAINT person_practice_pkey;
DROP INDEX person_practice_practice_id_idx;

ALTER TABLE person_role ADD COLUMN role TEXT NOT NULL DEFAULT 'reviewer'
  CHECK (role IN ('reviewer', 'admin', 'auditor'));
INSERT INTO person_role (person_id, practice_id, role)
  SELECT pr.person_id, pr.practice_id, 'auditor' FROM person_role pr JOIN person p ON p.id = pr.person_id
   WHERE 'auditor' = ANY (p.roles);
DELETE FROM person_role pr USING person p
  WHERE p.id = pr.person_id AND pr.role = 'reviewer' AND NOT 'reviewer' = ANY (p.roles);
ALTER TABLE person_role ALTER COLUMN role DROP DEFAULT;
ALTER TABLE person_role ADD CONSTRAINT person_role_pkey PRIMARY KEY (person_id, role, practice_id);
-- serves: the reviewers of a practice, and its other people
CREATE INDEX person_role_practice_id_role_idx ON person_role (practice_id, role);

-- Administrators were administrators of everything.
ALTER TABLE person RENAME COLUMN roles TO everywhere;
UPDATE person SET everywhere = CASE WHEN 'admin' = ANY (everywhere) THEN ARRAY['admin'] ELSE '{}'::text[] END;
ALTER TABLE person ALTER COLUMN everywhere SET DEFAULT '{}';
ALTER TABLE person ADD CONSTRAINT person_everywhere_check CHECK (everywhere <@ ARRAY['admin', 'auditor']);

-- Somebody who was invited has none yet.
ALTER TABLE person ALTER COLUMN password_hash DROP NOT NULL;
