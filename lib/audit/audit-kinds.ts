import { readingActs } from "#lib/audit/model/entry";

/** The kinds of entries that the audit log can be filtered by, each with its acts as patterns of SQL LIKE. */
export const auditKinds = {
  decisions: [
    "gate.voted",
    "gate.vote-withdrawn",
    "gate.released",
    "gate.auto-released",
    "gate.declined",
    "gate.sent-back",
    "gate.recalled",
    "task.adopted",
  ],
  cases: [
    "task.%",
    "void.%",
    "gate.expired",
    "gate.re-held",
    "case.claim%",
    "case.assigned",
    "case.snoozed",
    "case.woken",
    "case.noted",
    "case.units-recorded",
    "determination.accepted",
  ],
  transmissions: ["transmission.%"],
  payer: ["payer.%", "push.handled"],
  readings: [...readingActs, "case.emergency-opened", "cases.searched", "push.opened"],
  "sign-ins": [
    "person.signed-%",
    "person.sign-in-%",
    "person.proved-again",
    "person.proof-failed",
    "person.second-factor%",
    "person.recovery-%",
    "person.password-%",
    "person.sessions-%",
    "channel.token-issued",
  ],
  rights: [
    "person.created",
    "person.changed",
    "person.disabled",
    "person.linked",
    "person.unlinked",
    "person.enabled",
    "person.invit%",
    "person.joined",
    "person.groups-read",
    "group.mapped",
    "group.unmapped",
    "channel.created",
    "channel.changed",
    "channel.suspended",
    "channel.resumed",
    "change.%",
  ],
  keys: ["channel.key-%", "channel.webhook-secret-%", "practice.key-%", "keys.%"],
  settings: ["practice.%", "view.%", "route.%", "channel.webhook-resent", "person.mail-chosen"],
  denials: [
    "%.denied",
    "person.sign-in-failed",
    "person.sign-in-refused",
    "person.second-factor-failed",
    "person.proof-failed",
  ],
  record: ["audit.%", "sessions.purged", "receipts.exported", "report.exported", "desk-health.exported"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type AuditKind = keyof typeof auditKinds;

export function isAuditKind(text: string): text is AuditKind {
  return Object.hasOwn(auditKinds, text);
}
