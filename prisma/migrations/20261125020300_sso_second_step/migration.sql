-- The provider that took the first step; none where it was a password.
ALTER TABLE sign_in_ticket ADD COLUMN issuer TEXT;
