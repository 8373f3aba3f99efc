import type { AuditPosition } from "#lib/audit/browse-audit-log";

export const auditFilterNames = [
  "practice",
  "person",
  "channel",
  "task",
  "kind",
  "from",
  "to",
  "before",
  "after",
] as const;
export type AuditFilterName = (typeof auditFilterNames)[number];

/** What the address of the audit log says, as it stands there. */
export type AuditFilter = Readonly<Partial<Record<AuditFilterName, string>>>;

/** The address of the audit log; what is undefined is left out. */
export function auditPath(filter: { readonly [Part in AuditFilterName]?: string | undefined }): string {
  const query = new URLSearchParams(auditFilterNames.flatMap((name) => (filter[name] ? [[name, filter[name]]] : [])));
  return query.size === 0 ? "/audit" : `/audit?${query}`;
}

const spot = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)~([A-Za-z0-9][\w.:-]{0,79})~(\d{1,15})$/;

export function spotText({ at, chain, seq }: AuditPosition): string {
  return `${at}~${chain}~${seq}`;
}

export function spotOf(text: string): AuditPosition | undefined {
  const [, at, chain, seq] = spot.exec(text) ?? [];
  if (at === undefined || chain === undefined || Number.isNaN(Date.parse(at))) return undefined;
  return { at, chain, seq: Number(seq) };
}
