-- What few tasks need. In a function of its own it is opened and planned only where it is called; as a sub-select of the
-- statement that reads a task, every reading paid for it. Each runs with the rights, and behind the policies, of whoever asks.

-- The last submission of each action that left, with what became of it.
CREATE FUNCTION task_submissions(p_task UUID) RETURNS JSON
    LANGUAGE sql STABLE AS
    $$ SELECT json_agg(last) FROM (
         SELECT DISTINCT ON (sx.action) sx.gate_id, sx.action, sg.is_update, sx.by_hand, sg.revision, sx.attempt,
                sg.digest, sg.document_digests, sg.environment, sx.sent_at, sx.result, sx.answered_at, sx.reference,
                sx.delivery, encode(sx.reason, 'base64') AS reason,
                (SELECT count(*) FROM public.gate rg JOIN public.transmission rx ON rx.gate_id = rg.id
                  WHERE rg.task_id = p_task AND rg.action = sg.action AND rg.revision = sg.revision
                    AND rg.opened_at < sg.opened_at AND rx.result = 'refused') AS refusals
           FROM public.gate sg JOIN public.transmission sx ON sx.gate_id = sg.id
          WHERE sg.task_id = p_task AND sx.sent_at IS NOT NULL
          ORDER BY sx.action, sx.sent_at DESC, sg.opened_at DESC) last $$;

-- In which zone a practice's calendar days are counted.
CREATE FUNCTION practice_time_zone(p_practice TEXT) RETURNS TEXT
    LANGUAGE sql STABLE AS
    $$ SELECT p.time_zone FROM public.practice p WHERE p.id = p_practice $$;

-- The line of business of the newest route to a payer, by which its time to decide is counted.
CREATE FUNCTION route_line_of_business(p_practice TEXT, p_payer TEXT) RETURNS TEXT
    LANGUAGE sql STABLE AS
    $$ SELECT r.line_of_business FROM public.route r WHERE r.practice_id = p_practice AND r.payer_id = p_payer
        ORDER BY r.version DESC LIMIT 1 $$;
