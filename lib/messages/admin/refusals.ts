import { settingLabels } from "#lib/messages/admin/connection-settings";
import type { AdminRefusal } from "#lib/access/refusal";

const taken = {
  practice: "This practice ID is already in use. Choose another.",
  channel:
    "This channel was already created, and its key was shown then. If the key is lost, create another on the channel's API keys tab.",
  email:
    "Someone with this email already has an account or an open invitation. People lists them if you administer them; an invitation can be sent again there. If they aren't listed, ask an admin of their practice or of every practice to give them the role.",
  identity: "This single sign-on account is linked to another person. Unlink that person first.",
  link: "This person is already linked to another account of this provider. Unlink it first.",
} as const;

/** The fields of forms as their labels read, for the sentence that names them. */
const fields: Readonly<Record<string, string>> = {
  id: "Practice ID",
  name: "Name",
  practices: "Practice access",
  roles: "Roles",
  email: "Email",
  password: "New password",
  present: "Current password",
  atoms: "Permissions",
  recallWindowS: "Undo window",
  gateExpiryDays: "Requests expire after",
  timeZone: "Time zone",
  file: "File",
  text: "Text of the file",
  npi: "NPI",
  taxId: "Tax ID",
  connector: "Connection type",
  url: "Address",
  payerId: "Payer ID",
  credential: "Credential",
  requiredFields: "Fields the payer requires",
  lineOfBusiness: "Line of business",
  owner: "Owner",
  keyDays: "Key expires after",
  overlap: "Grace period for the current key",
  callsPerSecond: "Rate limit",
  callsAtOnce: "Concurrent calls",
  jwks: "Public keys",
  jwksUrl: "JWK set URL",
  networks: "IP allowlist",
  "transmit-ordinary-votes": "Submission",
  "transmit-high-votes": "Submission with a warning",
  "void-ordinary-votes": "Void before a decision",
  "void-high-votes": "Void after a decision or with a warning",
  payerName: "Payer name",
  aliases: "Other names and IDs",
  supports: "Supports",
  unlistedPayers: "Requests to other payers",
  environment: "Environment",
  urgentTargetH: "Target for urgent requests",
  standardTargetH: "Target for standard requests",
  days: "Days",
  noted: "Warnings",
  issuer: "Provider",
  subject: "Subject",
  group: "Group",
  secondAdmin: "Second admin",
  caseId: "Case ID",
  reason: "Reason",
  hosts: "Webhook hosts",
  autoReview: "Automatic review",
};

/** A field as the page calls it; a connector's setting by its label. */
function fieldText(field: string): string {
  if (field.startsWith("settings.")) return settingLabels(field.slice("settings.".length)).label;
  const [, place, member] = /^(\d+)\.(\w+)$/.exec(field) ?? [];
  if (place !== undefined) return `Rule ${Number(place) + 1}, ${ruleMembers[member ?? ""] ?? member}`;
  return fields[field] ?? field;
}

/** What the members of a connection rule are called. */
const ruleMembers: Readonly<Record<string, string>> = {
  name: "name",
  serviceTypes: "service types",
  codes: "codes",
  linesOfBusiness: "lines of business",
  connection: "connection",
};

/** A refusal as a page says it: a sentence with the remedy, and what is wrong with each field, to stand beside it. */
export function refusalMessage(refusal: AdminRefusal): { alert: string; problems: Readonly<Record<string, string>> } {
  const issues = refusal.type === "invalid" ? refusal.issues : [];
  const problems = issues.map(({ field, problem }) => [field, sentence(problem)]);
  if (refusal.type === "no-practices") problems.push(["practices", noPractices]);
  return { alert: sentenceOf(refusal), problems: Object.fromEntries(problems.toReversed()) };
}

const noPractices = "Select at least one practice, or confirm below that the channel starts without one.";

/** To whoever saves settings that others changed while they looked at them. */
const settingsChanged =
  "Someone else changed these settings after you opened this page, so nothing was saved. They are shown as they are now. Make your change again.";

/** A refusal of a form that names what it showed: after another admin's change it is drawn from what is there now. */
export function settingsMessage(refusal: AdminRefusal) {
  return refusal.type === "changed-since"
    ? { alert: settingsChanged, problems: {}, typed: undefined }
    : refusalMessage(refusal);
}

/** A problem as a sentence of its own: `must not be empty` is "Must not be empty." */
function sentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
}

function invalidText(issues: Extract<AdminRefusal, { type: "invalid" }>["issues"]): string {
  const named = [...new Set(issues.map(({ field }) => fieldText(field)))];
  const list = new Intl.ListFormat("en-US").format(named);
  return `Nothing was saved. Check ${named.length === 1 ? "this field" : "these fields"}: ${list}.`;
}

function sentenceOf(refusal: AdminRefusal): string {
  switch (refusal.type) {
    case "not-authorised":
      return "Only an admin can do this. Nothing was saved.";
    case "not-found":
      return `This ${notFound[refusal.what]} doesn't exist. Nothing was saved.`;
    case "invalid":
      return invalidText(refusal.issues);
    case "taken":
      return taken[refusal.what];
    case "two-live-keys":
      return "This channel has two active keys, the most it can have. Revoke one first.";
    case "keys-changed":
      return "The keys changed since you opened this page, so nothing was saved. The list now shows the current keys.";
    case "changed-since":
      return "This changed since you reviewed it, so nothing was saved. Review it again.";
    case "proof-needed":
      return "Verify your identity first, under Sign-in and security on your account page. Nothing was saved.";
    case "admin-exists":
      return "An admin already exists.";
    case "last-admin":
      return "This is the only admin of every practice who can sign in. Give someone else that role first.";
    case "own-rights":
      return "You can't give yourself a role. Ask another admin.";
    case "account-deactivated":
      return "This account is deactivated. Reactivate it first.";
    case "by-group":
      return "A single sign-on group gives this role. Remove the role from the group, or the person from the group.";
    case "sso-first":
      return "Sign in through the provider first. Otherwise this would lock you out.";
    case "admins-unlinked":
      return "No admin of every practice has linked an account at the provider, so this would lock all of them out. One of them has to link theirs first.";
    case "busy":
      return "Too many people are signing in right now. Nothing was saved. Try again in a moment.";
    case "beyond-reach":
      return "This person also works in practices you don't administer. An admin of every practice can do this.";
    case "no-practices":
      return "No practice selected. The agent can't send anything until the channel can access a practice.";
    case "second-admin-first":
      return "This person is an admin where a second admin confirms who is one. Remove that role first, then do this, and add the role again: another admin confirms it.";
    case "own-request":
      return "You requested this change. Another admin has to confirm it.";
    case "request-over":
      return "This change was already decided or has expired. Nothing was saved.";
    case "key-too-new":
      return "This practice's new key isn't in use everywhere yet. Nothing was sealed again. Try again in two minutes.";
  }
}

const notFound: Readonly<Record<Extract<AdminRefusal, { type: "not-found" }>["what"], string>> = {
  practice: "practice",
  channel: "channel",
  key: "key",
  webhook: "webhook",
  delivery: "delivery",
  person: "person",
  payer: "payer",
  route: "payer connection",
  link: "link",
  invitation: "invitation",
  group: "group role",
  change: "change",
};
