-- A practice's versions say from now on how people sign in; what stands already is a version, so that the next change is
-- told by itself.
INSERT INTO settings_version (practice_id, subject, version, actor, act, state)
SELECT v.practice_id, v.subject, v.version + 1, 'service', 'settings.found',
       v.state || jsonb_strip_nulls(jsonb_build_object('ssoOnly', nullif(p.sso_only, false),
         'reviewersSecondFactor', nullif(p.reviewers_second_factor, false)))
  FROM settings_version v JOIN practice p ON p.id = v.practice_id AND (p.sso_only OR p.reviewers_second_factor)
 WHERE v.subject = 'practice'
   AND v.version = (SELECT max(version) FROM settings_version w WHERE w.practice_id = v.practice_id AND w.subject = 'practice');
