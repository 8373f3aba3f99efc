import { shownZone } from "#components/text/time";
import { isAuditKind } from "#lib/audit/audit-kinds";
import type { AuditFilters, AuditPosition } from "#lib/audit/browse-audit-log";
import { endOfDay, instantIn } from "#lib/platform/zoned-time";

/** What the page's address says, as it stands there. */
export type Query = Readonly<Partial<Record<Name, string | string[]>>>;
const names = ["practice", "person", "channel", "task", "kind", "from", "to", "before", "after"] as const;
type Name = (typeof names)[number];
export type AuditFilter = Readonly<Partial<Record<Name, string>>>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const day = /^\d{4}-\d\d-\d\d$/;
const spot = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)~([A-Za-z0-9][\w.:-]{0,79})~(\d{1,15})$/;

const isDay = (text: string) => day.test(text) && !Number.isNaN(Date.parse(text));
const isSpot = (text: string) => spotOf(text) !== undefined;
const rules: Readonly<Record<Name, (text: string) => boolean>> = {
  practice: (text) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text),
  person: (text) => uuid.test(text),
  channel: (text) => uuid.test(text),
  task: (text) => uuid.test(text) || /^[0-9a-f]{8}$/i.test(text),
  kind: isAuditKind,
  from: isDay,
  to: isDay,
  before: isSpot,
  after: isSpot,
};

/** What of an address or a form can be meant; the rest is passed over. */
export function filterIn(query: Query): AuditFilter {
  const given = names.flatMap((name) => {
    const value = query[name];
    return typeof value === "string" && rules[name](value.trim()) ? [[name, value.trim()] as const] : [];
  });
  return Object.fromEntries(given);
}

/** The page's address; what is undefined is left out. */
export function auditPath(filter: { readonly [Part in Name]?: string | undefined }): string {
  const query = new URLSearchParams(names.flatMap((name) => (filter[name] ? [[name, filter[name]]] : [])));
  return query.size === 0 ? "/audit" : `/audit?${query}`;
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

export function spotText({ at, chain, seq }: AuditPosition): string {
  return `${at}~${chain}~${seq}`;
}

export function spotOf(text: string): AuditPosition | undefined {
  const [, at, chain, seq] = spot.exec(text) ?? [];
  if (at === undefined || chain === undefined || Number.isNaN(Date.parse(at))) return undefined;
  return { at, chain, seq: Number(seq) };
}
