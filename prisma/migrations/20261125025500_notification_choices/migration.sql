-- People choose for each kind of mail how they get it, and when they want none.

CREATE TABLE notification_choice (
  person_id UUID NOT NULL CONSTRAINT notification_choice_pkey PRIMARY KEY
    CONSTRAINT notification_choice_person_id_fkey REFERENCES person (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- by kind of mail: at-once, hourly, daily or off
  kinds JSONB NOT NULL,
  -- hours of the practice's clock between which no mail is sent; both or none
  quiet_from SMALLINT CHECK (quiet_from BETWEEN 0 AND 23),
  quiet_to SMALLINT CHECK (quiet_to BETWEEN 0 AND 23),
  quiet_weekends BOOLEAN NOT NULL DEFAULT false,
  -- mail about an urgent request is sent in quiet hours too
  urgent_anyway BOOLEAN NOT NULL DEFAULT true,
  CONSTRAINT notification_choice_quiet CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
);
COMMENT ON TABLE notification_choice IS 'How a person wants to be told. Who has none is told as person.mail says.';

ALTER TABLE mail DROP CONSTRAINT mail_kind_check;
ALTER TABLE mail ADD CONSTRAINT mail_kind_check
  CHECK (kind IN ('gate', 'expiring', 'needs-person', 'assigned', 'mention', 'emergency', 'account')) NOT VALID;
ALTER TABLE mail VALIDATE CONSTRAINT mail_kind_check;

CREATE FUNCTION after_quiet(given TIMESTAMPTZ, zone TEXT, quiet_from INTEGER, quiet_to INTEGER, weekends BOOLEAN)
RETURNS TIMESTAMPTZ LANGUAGE plpgsql STABLE AS $$
DECLARE
  clock TIMESTAMP := given AT TIME ZONE zone;
  today TIMESTAMP;
  hour INTEGER;
BEGIN
  -- A weekend and the nights around it are at most five stretches.
  FOR stretch IN 1..6 LOOP
    today := date_trunc('day', clock);
    hour := extract(hour FROM clock);
    IF weekends AND extract(isodow FROM clock) >= 6 THEN
      clock := today + interval '1 day';
    ELSIF quiet_from < quiet_to AND hour >= quiet_from AND hour < quiet_to THEN
      clock := today + make_interval(hours => quiet_to);
    ELSIF quiet_from > quiet_to AND hour >= quiet_from THEN
      clock := today + interval '1 day' + make_interval(hours => quiet_to);
    ELSIF quiet_from > quiet_to AND hour < quiet_to THEN
      clock := today + make_interval(hours => quiet_to);
    ELSE
      EXIT;
    END IF;
  END LOOP;
  IF clock = given AT TIME ZONE zone THEN
    RETURN given;
  END IF;
  RETURN clock AT TIME ZONE zone;
END $$;
COMMENT ON FUNCTION after_quiet(TIMESTAMPTZ, TEXT, INTEGER, INTEGER, BOOLEAN) IS
  'The first instant, from the given one on, that is outside quiet hours and weekends by the clocks of this zone.';
