-- How many people it takes to release an action of a risk in a practice, and whether each proves anew who they are.
-- Without a row one is enough.
CREATE TABLE vote_rule (
  practice_id TEXT NOT NULL
    CONSTRAINT vote_rule_practice_id_fkey REFERENCES practice (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  action TEXT NOT NULL CHECK (action IN ('transmit', 'void')),
  risk TEXT NOT NULL CHECK (risk IN ('ordinary', 'high')),
  votes INTEGER NOT NULL CHECK (votes BETWEEN 1 AND 5),
  step_up BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT vote_rule_pkey PRIMARY KEY (practice_id, action, risk)
);

-- Decided when the gate opens; the gates of before opened under rules that knew no risk.
ALTER TABLE gate ADD COLUMN risk TEXT NOT NULL DEFAULT 'ordinary' CHECK (risk IN ('ordinary', 'high'));

-- Whoever answers for the channel releases nothing of what it asks.
ALTER TABLE channel ADD COLUMN owner_id UUID
  CONSTRAINT channel_owner_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE;

-- When the person last proved who they are: at sign-in, and again where a release asks for it.
ALTER TABLE session ADD COLUMN proved_at TIMESTAMPTZ(6) NOT NULL DEFAULT now();
UPDATE session SET proved_at = created_at;
