import type { AuditKind } from "#lib/audit/audit-kinds";
import type { ChainProblem } from "#lib/audit/model/check-chain";
import { knownText } from "#lib/messages/known-text";
import { caseActText } from "#lib/messages/reviewer/case-acts";

/** What the kinds of entries are called in the filter of the audit log. */
export const kindText = {
  decisions: "Decisions at gates",
  cases: "Cases and claims",
  transmissions: "Transmissions",
  payer: "The payer's word",
  readings: "Sensitive reads",
  "sign-ins": "Sign-ins",
  rights: "Rights",
  keys: "Keys",
  settings: "Practices and routes",
  denials: "Denials",
  record: "Exports and retention",
} as const satisfies Record<AuditKind, string>;

const acts: Readonly<Record<string, string>> = {
  "case.opened": "opened the case",
  "case.file-opened": "opened a file of the case",
  "case.answer-opened": "opened a payer's answer as received",
  "push.opened": "opened an unmatched notification",
  "push.handled": "handled an unmatched notification",
  "case.packet-opened": "opened the packet",
  "case.decision-opened": "opened the decision to print",
  "case.receipt-opened": "opened a receipt",
  "case.listed": "saw what a case asks for, beside others",
  "cases.searched": "searched cases by member id",
  "audit.recovered": "recovered the record after a restore",
  "practice.created": "made the practice",
  "practice.renamed": "renamed the practice",
  "practice.suspended": "suspended the practice",
  "practice.resumed": "resumed the practice",
  "practice.settings-changed": "changed the practice's settings",
  "practice.noted-warnings-set": "set which warnings ask for a reason",
  "practice.second-factor-set": "set whether reviewers need a second factor",
  "practice.auto-review-set": "set whether test requests are released automatically",
  "practice.vote-rule-set": "set how many votes are needed",
  "practice.key-rotated": "gave the practice a new sealing key",
  "practice.targets-set": "set the practice's own targets",
  "keys.wrapped": "wrapped the sealing keys anew",
  "keys.pepper-replaced": "accepted another pepper for the keys of channels",
  "keys.resealing": "began to seal anew under the newest keys",
  "keys.resealed": "sealed anew under the newest keys",
  "channel.created": "made a channel",
  "channel.changed": "changed a channel",
  "channel.suspended": "suspended a channel",
  "channel.resumed": "resumed a channel",
  "channel.key-created": "made a key",
  "channel.key-revoked": "revoked a key",
  "channel.webhook-secret-created": "made a signing secret for webhooks",
  "channel.webhook-resent": "had a webhook delivered again",
  "channel.token-issued": "was given a token",
  "channel.denied": "was denied",
  "person.created": "made a person",
  "person.disabled": "disabled a person",
  "person.changed": "changed what a person may do",
  "person.invited": "invited a person",
  "person.joined": "accepted an invitation",
  "person.invitation-withdrawn": "withdrew an invitation",
  "person.password-withdrawn": "let a person choose a new password",
  "person.password-chosen": "chose a new password",
  "person.sessions-ended": "ended sessions",
  "person.enabled": "opened a person's account again",
  "person.signed-in": "signed in",
  "person.signed-out": "signed out",
  "person.sign-in-failed": "failed to sign in",
  "person.sign-in-refused": "came from the provider and is linked to nobody active",
  "person.linked": "linked a person to a provider's account",
  "person.unlinked": "unlinked a person from a provider's account",
  "person.groups-read": "came with other groups of the provider",
  "group.mapped": "gave a role to a group of the provider",
  "group.unmapped": "took a role from a group of the provider",
  "practice.sso-only-set": "set whether passwords are shut out",
  "person.proved-again": "proved again who they are",
  "person.second-factor-failed": "showed a wrong code",
  "person.second-factor-added": "added a second factor",
  "person.second-factor-renamed": "renamed a passkey",
  "person.second-factor-removed": "removed a second factor",
  "person.second-factors-reset": "reset a person's second factors",
  "person.recovery-codes-made": "made recovery codes",
  "person.mail-chosen": "chose how mail comes",
  "person.denied": "was denied",
  "practice.providers-set": "changed the practice's providers",
  "practice.second-admin-set": "set whether a second admin confirms changes",
  "practice.emergency-access-set": "set whether admins may open a case in an emergency",
  "case.emergency-opened": "opened a case in an emergency",
  "change.requested": "requested a change that a second admin confirms",
  "change.confirmed": "confirmed a change as second admin",
  "change.rejected": "rejected a change as second admin",
  "change.withdrawn": "withdrew a requested change",
  "route.set": "set a route",
  "practice.unlisted-payers-set": "set what happens to requests to unlisted payers",
  "payer.set": "set a payer of the directory",
  "payer.removed": "removed a payer from the directory",
  "payer.rules-set": "set which requests go over another connection",
  "route.tested": "tested a route's connection",
  "route.subscribed": "asked a payer to push",
  "route.subscription-ended": "ended a payer's pushes",
  "route.line-of-business-set": "set a route's line of business",
  "audit.exported": "exported the record",
  "audit.retention-set": "set how long contents are kept",
  "audit.purged": "emptied entries past their time",
  "sessions.purged": "forgot sessions that ended long ago",
  "receipts.exported": "exported receipts",
  "report.exported": "exported a report",
  // What a report was called before.
  "desk-health.exported": "exported a report",
  purged: "emptied past its time",
};

/** What an entry says was done, as the end of a sentence that begins with the actor. An unknown act is shown as it is. */
export const auditActText = (act: string): string => acts[act] ?? caseActText(act);

/** Who did it: the person's name where there is one. */
export function auditActorText({ actor, name }: { readonly actor: string; readonly name: string | null }): string {
  if (name !== null) return name;
  if (actor === "worker") return "The service";
  if (actor === "auto-reviewer") return "The auto-reviewer (test)";
  if (actor === "operator") return "An operator";
  if (actor === "nobody") return "Somebody not signed in";
  return actor;
}

const problems: Readonly<Record<ChainProblem, string>> = {
  edited: "was edited",
  missing: "is missing",
  reordered: "was put in another place",
  emptied: "was emptied against the policy",
  rewritten: "and those after it were made anew",
  cut: "and those after it were cut off",
};

/** What is wrong with an entry, as the end of a sentence that begins with the entry. */
export const chainProblemText = (problem: string): string => knownText(problems, problem) ?? problem;
