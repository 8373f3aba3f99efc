import type { AuditKind } from "#lib/audit/audit-kinds";
import type { ChainProblem } from "#lib/audit/model/check-chain";
import { knownText } from "#lib/messages/known-text";
import { caseActText } from "#lib/messages/reviewer/case-acts";

/** What the kinds of entries are called in the filter of the audit log. */
export const kindText = {
  decisions: "Decisions",
  cases: "Cases and assignments",
  transmissions: "Submissions",
  payer: "Payer answers",
  readings: "Sensitive reads",
  "sign-ins": "Sign-ins",
  rights: "Roles and permissions",
  keys: "Keys",
  settings: "Practices and payer connections",
  denials: "Denied calls",
  record: "Exports and retention",
} as const satisfies Record<AuditKind, string>;

const acts: Readonly<Record<string, string>> = {
  "case.opened": "opened the case",
  "case.file-opened": "opened a file of the case",
  "case.answer-opened": "opened a payer's answer as received",
  "push.opened": "opened an unmatched notification",
  "push.handled": "handled an unmatched notification",
  "case.packet-opened": "opened the packet",
  "case.decision-opened": "opened the decision for printing",
  "case.receipt-opened": "opened a receipt",
  "case.listed": "saw the request of a case in a list",
  "case.previewed": "saw a case beside the queue",
  "view.shared": "shared a saved view",
  "view.renamed": "renamed a shared view",
  "view.deleted": "deleted a shared view",
  "cases.searched": "searched for cases",
  "audit.recovered": "recovered the audit log after a restore",
  "practice.created": "created the practice",
  "practice.renamed": "renamed the practice",
  "practice.suspended": "suspended the practice",
  "practice.resumed": "resumed the practice",
  "practice.settings-changed": "changed the practice's settings",
  "practice.noted-warnings-set": "changed which warnings need an override reason",
  "practice.second-factor-set": "changed the second factor requirement",
  "practice.auto-review-set": "changed automatic review",
  "practice.vote-rule-set": "changed how many reviewers must release",
  "practice.key-rotated": "rotated the practice's sealing key",
  "practice.targets-set": "changed the practice's targets",
  "keys.wrapped": "rewrapped the sealing keys",
  "keys.pepper-replaced": "replaced the pepper of the API keys",
  "keys.resealing": "started resealing with the newest keys",
  "keys.resealed": "resealed with the newest keys",
  "channel.created": "created a channel",
  "channel.changed": "changed a channel",
  "channel.suspended": "suspended a channel",
  "channel.resumed": "resumed a channel",
  "channel.key-created": "created an API key",
  "channel.key-revoked": "revoked an API key",
  "channel.webhook-secret-created": "created a signing secret for webhooks",
  "channel.webhook-resent": "resent a webhook",
  "channel.token-issued": "received an access token",
  "channel.denied": "was denied an API call",
  "person.created": "created a person",
  "person.disabled": "deactivated a person",
  "person.changed": "changed a person's roles",
  "person.invited": "invited a person",
  "person.joined": "accepted an invitation",
  "person.invitation-withdrawn": "withdrew an invitation",
  "person.password-withdrawn": "reset a person's password",
  "person.password-chosen": "chose a new password",
  "person.sessions-ended": "ended sessions",
  "person.enabled": "reactivated a person",
  "person.signed-in": "signed in",
  "person.signed-out": "signed out",
  "person.sign-in-failed": "failed to sign in",
  "person.sign-in-refused": "signed in at the provider without an active account here",
  "person.linked": "linked a person to a provider's account",
  "person.unlinked": "unlinked a person from a provider's account",
  "person.groups-read": "signed in with changed provider groups",
  "group.mapped": "gave a role to a provider group",
  "group.unmapped": "removed a role from a provider group",
  "practice.sso-only-set": "changed whether single sign-on is required",
  "person.proved-again": "verified their identity",
  "person.proof-failed": "failed to verify their identity",
  "person.second-factor-failed": "entered a wrong code",
  "person.second-factor-added": "added a second factor",
  "person.second-factor-renamed": "renamed a passkey",
  "person.second-factor-removed": "removed a second factor",
  "person.second-factors-reset": "reset a person's second factors",
  "person.recovery-codes-made": "created recovery codes",
  "person.mail-chosen": "changed their notifications",
  "person.denied": "was denied",
  "practice.providers-set": "changed the practice's providers",
  "practice.second-admin-set": "changed whether a second admin confirms changes",
  "practice.emergency-access-set": "changed emergency access",
  "case.emergency-opened": "opened a case in an emergency",
  "change.requested": "requested a change that a second admin confirms",
  "change.confirmed": "confirmed a change as second admin",
  "change.rejected": "rejected a change as second admin",
  "change.withdrawn": "withdrew a requested change",
  "route.set": "activated a payer connection",
  "practice.unlisted-payers-set": "changed what happens to requests to unlisted payers",
  "payer.set": "changed a payer in the directory",
  "payer.removed": "removed a payer from the directory",
  "payer.rules-set": "changed the rules that choose a payer connection",
  "route.tested": "tested a payer connection",
  "route.subscribed": "subscribed to a payer's notifications",
  "route.subscription-ended": "ended the subscription to a payer's notifications",
  "route.line-of-business-set": "changed the line of business of a payer connection",
  "audit.exported": "exported the audit log",
  "audit.retention-set": "changed how long details are kept",
  "audit.purged": "removed the details of entries past their retention",
  "sessions.purged": "deleted sessions that ended long ago",
  "receipts.exported": "exported receipts",
  "report.exported": "exported a report",
  // What a report was called before.
  "desk-health.exported": "exported a report",
  purged: "details removed after the retention period",
};

/** What an entry says was done, as the end of a sentence that begins with the actor. An unknown act is shown as it is. */
export const auditActText = (act: string): string => acts[act] ?? caseActText(act);

type Of = { readonly actor: string; readonly name: string | null; readonly act: string };

/** Who did it: the person's name where there is one. */
export function auditActorText({ actor, name, act }: Of): string {
  if (name !== null) return name;
  if (actor === "nobody" && act === "channel.denied") return "Unknown caller";
  if (actor === "worker") return "The service";
  if (actor === "auto-reviewer") return "The auto-reviewer (test)";
  if (actor === "operator") return "An operator";
  if (actor === "nobody") return "Not signed in";
  return actor;
}

const problems: Readonly<Record<ChainProblem, string>> = {
  edited: "was edited",
  missing: "is missing",
  reordered: "was moved",
  emptied: "was emptied against the retention policy",
  rewritten: "and the entries after it were rewritten",
  cut: "and the entries after it were cut off",
};

/** What is wrong with an entry, as the end of a sentence that begins with the entry. */
export const chainProblemText = (problem: string): string => knownText(problems, problem) ?? problem;

/** How somebody outside checks an export of the log. */
export const verifyText = {
  title: "How to verify an export",
  get: "Save the export and the verifier, one file without dependencies, on any machine with Node.js. Run:",
  command: "node audit-verify.mjs export.jsonl KEY",
  key: "KEY is the public key of the signed heads: the file that npm run pa -- audit key prints, or the x in it. Get it from whoever operates the service, apart from the export.",
  result:
    "The verifier names the first entry that was edited, removed or moved. Without a key it checks the chains, and says that the heads were not checked.",
} as const;
