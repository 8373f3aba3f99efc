-- A practice's versions say from now on what groups of the provider give there; what stands already is a version, so that
-- the next change is told by itself.
INSERT INTO settings_version (practice_id, subject, version, actor, act, state)
SELECT v.practice_id, v.subject, v.version + 1, 'service', 'settings.found', v.state || jsonb_build_object('groups', given.groups)
  FROM settings_version v
  JOIN LATERAL (
    SELECT jsonb_object_agg(issuer, of_issuer) AS groups
      FROM (SELECT issuer, jsonb_object_agg(group_name, roles) AS of_issuer
              FROM (SELECT issuer, group_name, jsonb_object_agg(role, true) AS roles FROM group_role
                     WHERE practice_id = v.practice_id GROUP BY issuer, group_name) of_group GROUP BY issuer) by_issuer
  ) given ON given.groups IS NOT NULL
 WHERE v.subject = 'practice'
   AND v.version = (SELECT max(version) FROM settings_version w WHERE w.practice_id = v.practice_id AND w.subject = 'practice');
