-- Why a reviewer declined, of a few; and which members of the service review a question is about, as JSON pointers.
ALTER TABLE gate ADD COLUMN reason_code TEXT CHECK (reason_code IN ('wrong-patient-or-coverage', 'duplicate',
  'not-supported', 'wrong-code-or-units', 'wrong-payer', 'missing-documents', 'withdrawn-by-practice', 'other'));
ALTER TABLE gate ADD COLUMN fields TEXT[];
