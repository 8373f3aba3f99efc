import { placeText } from "./versions.ts";

/** The labels of the members of an entry's details. */
const names: Readonly<Record<string, string>> = {
  actor: "Who",
  added: "Added",
  answer: "Answer",
  askedAt: "Asked at",
  inquiredAt: "Asked at",
  atoms: "Permissions",
  attempt: "Attempt",
  attention: "Action required",
  by: "By",
  callsAtOnce: "Concurrent calls",
  callsPerSecond: "Rate limit (calls per second)",
  chains: "Chains",
  channel: "Channel",
  channelId: "Channel",
  codes: "Codes",
  correction: "Correction",
  count: "Count",
  credential: "Credential given",
  days: "Days",
  delivery: "By",
  document: "Document",
  ended: "Ended",
  endsAt: "Link ends",
  environment: "Environment",
  expiresAt: "Ends",
  failed: "Failed at",
  first: "First",
  from: "From",
  group: "Group",
  import: "Imported file",
  issuer: "Provider",
  key: "Key",
  kids: "Key IDs",
  kind: "Kind",
  last: "Last",
  learned: "Learned by",
  mail: "Mail",
  name: "Name",
  networks: "IP allowlist",
  notification: "Notification",
  ok: "Passed",
  outcome: "Outcome",
  overlap: "Grace period for the old key",
  owner: "Owner",
  payer: "Payer",
  payerHas: "Payer confirmed receipt",
  people: "People",
  peopleChanged: "People changed",
  person: "Person",
  personId: "Person",
  practice: "Practice",
  practiceId: "Practice",
  practices: "Practices",
  push: "Notification",
  reason: "Reason",
  reasonCode: "Reason",
  recoveryCodes: "Recovery codes",
  removed: "Removed",
  replaces: "Replaces",
  requested: "Requested",
  required: "Required",
  resealed: "Values resealed",
  unopened: "Values that do not open",
  revision: "Revision",
  ringKey: "Sealing key",
  role: "Role",
  rules: "Connection rules",
  supports: "Supports",
  aliases: "Other names and IDs",
  roles: "Roles",
  rule: "Why",
  sameNumberAs: "Same authorization number as case",
  scope: "Applies to",
  sentAt: "Sent",
  since: "Since",
  sessionsEnded: "Sessions ended",
  settled: "Resolves the unknown status",
  source: "Source",
  table: "Report",
  task: "Case",
  to: "To",
  totp: "Authenticator apps",
  passkeys: "Passkeys",
  unassigned: "Cases unassigned",
  until: "Until",
  update: "Update",
  url: "Address",
  via: "Received by",
  view: "Saved view",
  waitsFor: "Waits for",
  waiting: "Delayed after failed sign-ins",
  warnings: "Warnings",
  withReason: "Override reason given",
  wrapped: "Keys wrapped",
};

/** What an act changes, where its details do not name it. */
const changed: Readonly<Record<string, string>> = {
  "practice.renamed": "Name",
  "practice.sso-only-set": "Only single sign-on",
  "practice.noted-warnings-set": "Warnings without override reason",
  "route.line-of-business-set": "Line of business",
  "practice.unlisted-payers-set": "Requests to unlisted payers",
  "audit.retention-set": "Retention (days)",
  "case.assigned": "Assigned to",
};

/** The label of what an act changed from one value to another. */
export const changedName = (act: string): string => changed[act] ?? "State";

/** The label of a member; one that has none is spelled out, so that `sessionsEnded` reads "Sessions ended". */
export function memberName(member: string): string {
  const known = names[member] ?? placeText(`/${member}`);
  if (known !== member) return known;
  const text = member.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** What a person requested without the right to it. */
export const requestedText: Readonly<Record<string, string>> = {
  case: "Case",
  change: "Change",
  channel: "Channel",
  channels: "Channels",
  keys: "API keys",
  notification: "Notification",
  people: "People",
  person: "Person",
  practice: "Practice",
  practices: "Practices",
  receipts: "Receipts",
  record: "Audit log",
  routes: "Payer connections",
};

/** What is of this kind: a change that waits for a second admin, or a second factor. */
export const kindTexts: Readonly<Record<string, string>> = {
  "channel-practices": "Practice access of a channel",
  "admin-roles": "Admin role",
  "admin-invitation": "Invitation of an admin",
  "admin-group": "Admin role of a provider group",
  "fewer-releases": "Lower release rules",
  "second-admin-off": "No second admin confirms",
  "emergency-access-on": "Emergency access",
  totp: "Authenticator app",
  passkey: "Passkey",
};

/** How long a replaced API key goes on working. */
export const overlapTexts: Readonly<Record<string, string>> = {
  "0": "none",
  "1h": "1 hour",
  "24h": "24 hours",
  "7d": "7 days",
};

/** The second factor that somebody signed in or verified their identity with. */
export const factorTexts: Readonly<Record<string, string>> = {
  totp: "Authenticator app",
  passkey: "Passkey",
  "recovery-code": "Recovery code",
};
