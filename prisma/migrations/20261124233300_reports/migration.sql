-- Reports: what each day of a practice came to, in the practice's own time zone. The worker follows the audit log of
-- each practice and adds the touched days up anew, so that a report reads some hundred small rows whatever the queue holds.
--
-- Spans of time are kept as classes: `span_classes` has the classes that occur, `span_counts` how often each of them
-- does. lib/report/model/span-classes.ts says where a class begins.

CREATE TABLE report_progress (
  practice_id TEXT NOT NULL CONSTRAINT report_progress_pkey PRIMARY KEY
    CONSTRAINT report_progress_practice_id_fkey REFERENCES practice (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- the last entry of the practice's audit log that was followed
  seq BIGINT NOT NULL,
  -- in which the days were cut; another one cuts them all anew
  time_zone TEXT NOT NULL,
  at TIMESTAMPTZ(6) NOT NULL,
  -- days still to be added up
  days_due DATE[] NOT NULL DEFAULT '{}',
  -- calendar years whose exact figures are due, and when they were last made
  years_due INTEGER[] NOT NULL DEFAULT '{}',
  years_at TIMESTAMPTZ(6) NOT NULL
);
COMMENT ON TABLE report_progress IS 'How far the reports of a practice have followed its audit log. Without a row, everything is added up from the cases themselves.';

CREATE TABLE report_intake_day (
  practice_id TEXT NOT NULL,
  day DATE NOT NULL,
  -- requests that agents opened
  received INTEGER NOT NULL,
  -- how many more cases await release at the end of the day than at its beginning
  awaiting_change INTEGER NOT NULL,
  CONSTRAINT report_intake_day_pkey PRIMARY KEY (practice_id, day)
);
COMMENT ON TABLE report_intake_day IS 'What came in on a day, and how the number of cases awaiting release changed. Counted up from the audit log.';

CREATE TABLE report_review_day (
  practice_id TEXT NOT NULL,
  day DATE NOT NULL,
  channel_id UUID NOT NULL,
  released INTEGER NOT NULL,
  declined INTEGER NOT NULL,
  sent_back INTEGER NOT NULL,
  expired INTEGER NOT NULL,
  -- from opening a gate to a reviewer's answer, in seconds
  span_classes SMALLINT[] NOT NULL,
  span_counts INTEGER[] NOT NULL,
  CONSTRAINT report_review_day_pkey PRIMARY KEY (practice_id, day, channel_id)
);
COMMENT ON TABLE report_review_day IS 'What reviewers answered on a day, by the channel that asked.';

CREATE TABLE report_reason_day (
  practice_id TEXT NOT NULL,
  day DATE NOT NULL,
  channel_id UUID NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('declined', 'sent-back')),
  -- the code of a decline, or the JSON pointer of what was asked about; empty for a question about nothing named
  reason TEXT NOT NULL,
  cases INTEGER NOT NULL,
  CONSTRAINT report_reason_day_pkey PRIMARY KEY (practice_id, day, channel_id, status, reason)
);
COMMENT ON TABLE report_reason_day IS 'Why requests were declined or sent back on a day. A question about several members counts with each.';

CREATE TABLE report_reviewer_day (
  practice_id TEXT NOT NULL,
  day DATE NOT NULL,
  person_id UUID NOT NULL,
  released INTEGER NOT NULL,
  declined INTEGER NOT NULL,
  sent_back INTEGER NOT NULL,
  -- releases whose first sight of the gate is known, and those within 4 s of it
  seen INTEGER NOT NULL,
  quick INTEGER NOT NULL,
  -- from opening a gate to the answer, in seconds
  span_classes SMALLINT[] NOT NULL,
  span_counts INTEGER[] NOT NULL,
  CONSTRAINT report_reviewer_day_pkey PRIMARY KEY (practice_id, day, person_id)
);
COMMENT ON TABLE report_reviewer_day IS 'What each reviewer answered, on the day the gate was decided.';

CREATE TABLE report_payer_day (
  practice_id TEXT NOT NULL,
  day DATE NOT NULL,
  payer_id TEXT NOT NULL,
  urgent BOOLEAN NOT NULL,
  -- by the determination in force: approved or not required, in part or with changes, denied
  approved INTEGER NOT NULL,
  partly_approved INTEGER NOT NULL,
  denied INTEGER NOT NULL,
  -- approved at least in part, after an earlier determination denied it
  overturned INTEGER NOT NULL,
  -- with a legal deadline that is known, and decided after it
  with_deadline INTEGER NOT NULL,
  late INTEGER NOT NULL,
  -- from the payer's receipt to its decision, in seconds
  span_classes SMALLINT[] NOT NULL,
  span_counts INTEGER[] NOT NULL,
  CONSTRAINT report_payer_day_pkey PRIMARY KEY (practice_id, day, payer_id, urgent)
);
COMMENT ON TABLE report_payer_day IS 'What each payer decided on a day, standard and expedited requests apart.';

CREATE TABLE report_submission_day (
  practice_id TEXT NOT NULL,
  -- of the release
  day DATE NOT NULL,
  payer_id TEXT NOT NULL,
  connector TEXT NOT NULL,
  released INTEGER NOT NULL,
  received INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  not_received INTEGER NOT NULL,
  unconfirmed INTEGER NOT NULL,
  -- that took more than one attempt
  retried INTEGER NOT NULL,
  CONSTRAINT report_submission_day_pkey PRIMARY KEY (practice_id, day, payer_id, connector)
);
COMMENT ON TABLE report_submission_day IS 'What became of the submissions released on a day.';

CREATE TABLE report_payer_year (
  practice_id TEXT NOT NULL,
  year INTEGER NOT NULL,
  payer_id TEXT NOT NULL,
  urgent BOOLEAN NOT NULL,
  approved INTEGER NOT NULL,
  partly_approved INTEGER NOT NULL,
  denied INTEGER NOT NULL,
  overturned INTEGER NOT NULL,
  -- from the payer's receipt to its decision, exact; empty where no receipt is known
  mean_s DOUBLE PRECISION,
  median_s DOUBLE PRECISION,
  CONSTRAINT report_payer_year_pkey PRIMARY KEY (practice_id, year, payer_id, urgent)
);
COMMENT ON TABLE report_payer_year IS 'What each payer decided in a calendar year, as CMS-0057-F has payers publish it.';
