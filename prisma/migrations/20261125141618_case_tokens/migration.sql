-- Cases are found by the patient's name and birth date and by the authorization number.

CREATE TABLE case_token (
  practice_id TEXT NOT NULL,
  -- half of an HMAC-SHA-256 under the practice's own key
  token BYTEA NOT NULL,
  task_id UUID NOT NULL CONSTRAINT case_token_task_id_fkey REFERENCES task (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT case_token_pkey PRIMARY KEY (practice_id, token, task_id)
);
COMMENT ON TABLE case_token IS 'What a case is found by, keyed: a word of the name, the birth date, an authorization number. Equal within a practice alone.';
-- serves: making the tokens of a case anew
CREATE INDEX case_token_task_id_idx ON case_token (task_id);

CREATE TABLE search_progress (
  practice_id TEXT NOT NULL CONSTRAINT search_progress_pkey PRIMARY KEY
    CONSTRAINT search_progress_practice_id_fkey REFERENCES practice (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  seq BIGINT NOT NULL
);
COMMENT ON TABLE search_progress IS 'How far the audit log of a practice was followed for the tokens its cases are found by.';
