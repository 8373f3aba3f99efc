import { auditFilterNames, spotOf, type AuditFilter, type AuditFilterName } from "#components/audit/audit-path";
import { shownZone } from "#components/text/time";
import { isAuditKind } from "#lib/audit/audit-kinds";
import type { AuditFilters } from "#lib/audit/browse-audit-log";
import { isDate } from "#lib/task/model/formats";
import { endOfDay, instantIn } from "#lib/platform/zoned-time";

/** What the page's address says, as it stands there. */
export type Query = Readonly<Partial<Record<AuditFilterName, string | string[]>>>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const isSpot = (text: string) => spotOf(text) !== undefined;
const rules: Readonly<Record<AuditFilterName, (text: string) => boolean>> = {
  practice: (text) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text),
  person: (text) => uuid.test(text),
  channel: (text) => uuid.test(text),
  task: (text) => uuid.test(text) || /^[0-9a-f]{8}$/i.test(text),
  kind: isAuditKind,
  from: isDate,
  to: isDate,
  before: isSpot,
  after: isSpot,
};

/** What of an address or a form can be meant; the rest is passed over. */
export function filterIn(query: Query): AuditFilter {
  const given = auditFilterNames.flatMap((name) => {
    const value = query[name];
    return typeof value === "string" && rules[name](value.trim()) ? [[name, value.trim()] as const] : [];
  });
  return Object.fromEntries(given);
}

/** The same for the verb; days are those of the reader's calendar. */
export async function filtersOf({
  practice,
  task,
  kind,
  from,
  to,
  person,
  channel,
}: AuditFilter): Promise<AuditFilters> {
  const zone = await shownZone();
  return {
    practiceId: practice,
    person,
    channel,
    task,
    kind: kind !== undefined && isAuditKind(kind) ? kind : undefined,
    from: from === undefined ? undefined : instantIn(zone, `${from}T00:00`),
    to: to === undefined ? undefined : endOfDay(zone, to, 0),
  };
}
