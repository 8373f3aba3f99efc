-- Who somebody is to an OpenID Connect provider: issuer and subject. An email links nobody.
CREATE TABLE person_identity (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  person_id UUID NOT NULL CONSTRAINT person_identity_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT person_identity_pkey PRIMARY KEY (issuer, subject),
  CONSTRAINT person_identity_lengths CHECK (length(issuer) BETWEEN 1 AND 500 AND length(subject) BETWEEN 1 AND 255)
);
-- serves: a person is one subject of a provider at most
CREATE UNIQUE INDEX person_identity_person_id_issuer_key ON person_identity (person_id, issuer);

-- The provider a session was begun through; none where it was a password.
ALTER TABLE session ADD COLUMN issuer TEXT;
