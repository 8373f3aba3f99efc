-- An email is looked up in one Unicode form (NFC), so those stored in another are put into it. Where somebody else has that
-- email, it stays as it is.

-- the form is asked for beyond ASCII alone, because a database of another encoding than UTF-8 has none
WITH other AS (
  SELECT DISTINCT ON (form) id, form
    FROM (SELECT id, email, CASE WHEN email ~ '[^ -~]' THEN lower(normalize(email, NFC)) ELSE email END AS form FROM person) named
   WHERE form <> email AND NOT EXISTS (SELECT FROM person p WHERE p.email = form)
   ORDER BY form, id
)
UPDATE person SET email = other.form FROM other WHERE person.id = other.id;
