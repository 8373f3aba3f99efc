import canonicalize from "canonicalize";
import type { Actor } from "#lib/access/model/actor";
import type { Act } from "#lib/task/model/lifecycle/event";

/** Everything that the audit log can say happened to a task: the acts of its lifecycle. */
export type TaskAct = Act;

/** What people do around a case without changing it. */
export type DeskAct =
  | "case.assigned"
  | "case.snoozed"
  | "case.woken"
  | "case.noted"
  | "case.units-recorded"
  | "push.opened"
  | "push.handled"
  | ReadingAct;

/** What people do with the lists that a practice's reviewers share. */
export type ViewAct = "view.shared" | "view.renamed" | "view.deleted";

/** Readings; recorded on the first one of a day. */
export const readingActs = [
  "case.opened",
  "case.file-opened",
  "case.answer-opened",
  "case.packet-opened",
  "case.decision-opened",
  "case.receipt-opened",
  "case.listed",
  "case.previewed",
] as const;

export type ReadingAct = (typeof readingActs)[number];

/** Everything else that is recorded: rights, people, keys, payer connections, denials. */
export type AdminAct =
  | "practice.created"
  | "practice.renamed"
  | "practice.suspended"
  | "practice.resumed"
  | "practice.settings-changed"
  | "practice.noted-warnings-set"
  | "practice.vote-rule-set"
  | "practice.key-rotated"
  | "keys.wrapped"
  | "keys.pepper-replaced"
  | "keys.resealing"
  | "keys.resealed"
  | "practice.targets-set"
  | "practice.second-factor-set"
  | "practice.auto-review-set"
  | "practice.providers-set"
  | "practice.second-admin-set"
  | "practice.emergency-access-set"
  | "case.emergency-opened"
  | "change.requested"
  | "change.confirmed"
  | "change.rejected"
  | "change.withdrawn"
  | "route.tested"
  | "channel.created"
  | "channel.changed"
  | "channel.suspended"
  | "channel.resumed"
  | "channel.key-created"
  | "channel.key-revoked"
  | "channel.token-issued"
  | "channel.webhook-secret-created"
  | "channel.webhook-resent"
  | "person.created"
  | "person.changed"
  | "person.invited"
  | "person.joined"
  | "person.invitation-withdrawn"
  | "person.password-withdrawn"
  | "person.password-chosen"
  | "person.sessions-ended"
  | "person.enabled"
  | "person.disabled"
  | "person.signed-in"
  | "person.signed-out"
  | "person.proved-again"
  | "person.linked"
  | "person.unlinked"
  | "person.second-factor-added"
  | "person.second-factor-renamed"
  | "person.second-factor-removed"
  | "person.second-factors-reset"
  | "person.recovery-codes-made"
  | "person.groups-read"
  | "group.mapped"
  | "group.unmapped"
  | "practice.sso-only-set"
  | "cases.searched"
  | "person.mail-chosen"
  | "route.set"
  | "route.subscribed"
  | "route.subscription-ended"
  | "route.line-of-business-set"
  | "payer.set"
  | "payer.removed"
  | "payer.rules-set"
  | "practice.unlisted-payers-set"
  | "audit.retention-set";

/** What is recorded about the audit log itself, and denials. */
export type RecordAct =
  | "audit.exported"
  | "audit.purged"
  | "audit.recovered"
  | "sessions.purged"
  | "person.sign-in-failed"
  | "person.sign-in-refused"
  | "person.second-factor-failed"
  | "person.proof-failed"
  | "person.denied"
  | "channel.denied"
  | "receipts.exported"
  | "report.exported";

/** The chain of what concerns the whole service. No practice's id can have a colon. */
export const serviceChain = "service:all";

export type AuditEntry = {
  /** The practice's id, `channel:<id>`, `people` or `service:all`; each is one chain. */
  readonly chain: string;
  readonly actor: Actor;
  readonly act: TaskAct | DeskAct | ViewAct | AdminAct | RecordAct;
  readonly taskId?: string | undefined;
  /** Ids, digests, numbers and states only; never patient data. */
  readonly detail: Readonly<Record<string, unknown>>;
};

/**
 * SQL: the detail of an entry as JSON. A detail that was tampered with may not be JSON and is read as `otherwise`,
 * because the log must remain readable; the verification names the entry.
 */
export function detailJson(column: string, otherwise = "{}"): string {
  return `CASE WHEN pg_input_is_valid(${column}, 'jsonb') THEN ${column}::jsonb ELSE '${otherwise}'::jsonb END`;
}

/** SQL: an id in an entry's detail. Null if it was tampered with and is no id. */
export function idIn(expression: string): string {
  return `CASE WHEN pg_input_is_valid(${expression}, 'uuid') THEN (${expression})::uuid END`;
}

/** The exact text that the hash covers. */
export function auditDetail(detail: AuditEntry["detail"]): string {
  return canonicalize(detail) ?? "{}";
}
