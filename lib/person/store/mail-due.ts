/**
 * SQL for how and when a person `p` wants mail of a kind, with their row of notification_choice as `n` (joined from the
 * left) and the practice's zone as `zone`.
 */

/** How: their choice for this kind; as `person.mail` says where they made none. */
export const deliveryOf = (kind: string): string =>
  `coalesce(n.kinds ->> ${kind}, CASE p.mail WHEN 'digest' THEN 'hourly' ELSE p.mail END)`;

/** When. Whoever wants urgent mail anyway, and this kind at once, gets it at once. */
export const dueOf = (kind: string, { zone, urgent }: { readonly zone: string; readonly urgent: string }): string => `
  CASE WHEN ${urgent} AND coalesce(n.urgent_anyway, true) AND ${deliveryOf(kind)} = 'at-once' THEN clock_timestamp()
       ELSE after_quiet(CASE ${deliveryOf(kind)}
              WHEN 'hourly' THEN date_trunc('hour', clock_timestamp()) + interval '1 hour'
              WHEN 'daily' THEN (date_trunc('day', clock_timestamp() AT TIME ZONE ${zone} - interval '8 hours')
                                 + interval '1 day 8 hours') AT TIME ZONE ${zone}
              ELSE clock_timestamp() END,
            ${zone}, n.quiet_from, n.quiet_to, coalesce(n.quiet_weekends, false)) END`;

/** The join that both need. */
export const withChoice = "LEFT JOIN notification_choice n ON n.person_id = p.id";

/** Whether an active person `p` is told of emergency accesses in this practice: its reviewers and admins, and admins of every one. */
export const isToldOfEmergencies = (practice: string): string => `p.status = 'active'
  AND ('admin' = ANY (p.everywhere || p.everywhere_by_group) OR EXISTS (
    SELECT FROM person_role pp WHERE pp.person_id = p.id AND pp.practice_id = ${practice} AND pp.role IN ('reviewer', 'admin')))`;

/** What needed a person in the case `t`, as programs before November 28, 2026 named it: the same every time it did. */
export const needBefore = "concat_ws(':', t.needs_person, t.id, coalesce(t.gate_id::text, t.revision::text))";

/** What needs a person in the case `t`, this time: by when it is due was set as it began to, and stays while it does. */
export const needOf = `concat_ws(':', t.needs_person, t.id, extract(epoch FROM t.due_at))`;
