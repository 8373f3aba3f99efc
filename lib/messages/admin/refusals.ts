import { settingLabels } from "#lib/messages/admin/connection-settings";
import type { AdminRefusal } from "#lib/access/refusal";

const taken = {
  practice: "A practice with this id exists already. Choose another id.",
  channel:
    "This channel is made already, and its key was shown then. If it was lost, make another on the channel's page.",
  email: "A person with this email exists already. Choose another.",
  identity: "This account of the provider is linked to another person. Unlink that person first.",
  link: "This person is linked to another account of this provider. Unlink it first.",
} as const;

const fields: Readonly<Record<string, string>> = {
  id: "the id",
  name: "the name",
  practices: "the list of practices",
  roles: "the list of roles",
  email: "the email",
  password: "the password",
  present: "the password you have now",
  atoms: "the list of what it may do",
  recallWindowS: "the undo window",
  gateExpiryDays: "the release expiry",
  timeZone: "the time zone",
  file: "the file",
  npi: "the NPI",
  taxId: "the tax id",
  connector: "the connector",
  url: "the address",
  payerId: "the payer id",
  credential: "the credential",
  requiredFields: "the list of required fields",
  lineOfBusiness: "the line of business",
  owner: "the owner",
  keyDays: "the days the key works",
  overlap: "how long the key in use works on",
  callsPerSecond: "the calls a second",
  callsAtOnce: "the calls at once",
  jwks: "the JWK set",
  jwksUrl: "the address of the JWK set",
  networks: "the list of networks",
  hosts: "the webhook hosts",
  "transmit-ordinary-votes": "an ordinary transmission",
  "transmit-high-votes": "a transmission of high risk",
  "void-ordinary-votes": "an ordinary void",
  "void-high-votes": "a void of high risk",
  payerName: "the payer's name",
  aliases: "the list of other names",
  supports: "the list of what it supports",
  unlistedPayers: "what happens to unlisted payers",
  environment: "the environment",
  urgentTargetH: "the target for urgent cases",
  standardTargetH: "the target for other cases",
  days: "the number of days",
  noted: "the list of warnings",
  issuer: "the provider",
  subject: "the subject",
  group: "the group",
};

/** A field as the page calls it; a connector's setting by its label. */
function fieldText(field: string): string {
  if (field.startsWith("settings.")) return `the setting “${settingLabels(field.slice("settings.".length)).label}”`;
  const [, place, member] = /^(\d+)\.(\w+)$/.exec(field) ?? [];
  if (place !== undefined) return `${ruleMembers[member ?? ""] ?? member} of rule ${Number(place) + 1}`;
  return fields[field] ?? field;
}

/** What the members of a connection rule are called. */
const ruleMembers: Readonly<Record<string, string>> = {
  name: "the name",
  serviceTypes: "the service types",
  codes: "the codes",
  linesOfBusiness: "the lines of business",
  connection: "the connection",
};

/** A refusal as a page says it: a sentence with the remedy, and what is wrong with each field. */
export function refusalMessage(refusal: AdminRefusal): { alert: string; problems: Readonly<Record<string, string>> } {
  const issues = refusal.type === "invalid" ? refusal.issues : [];
  const problems = issues.map(({ field, problem }) => [
    field,
    `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`,
  ]);
  return { alert: sentenceOf(refusal), problems: Object.fromEntries(problems.toReversed()) };
}

function sentenceOf(refusal: AdminRefusal): string {
  switch (refusal.type) {
    case "not-authorised":
      return "Only an administrator may do this. Nothing was done.";
    case "not-found":
      return `This ${refusal.what} is not there. Nothing was done.`;
    case "invalid":
      return `Nothing was done: ${refusal.issues.map(({ field, problem }) => `${fieldText(field)} ${problem}`).join("; ")}.`;
    case "taken":
      return taken[refusal.what];
    case "two-live-keys":
      return "There are two live keys, and never a third. Revoke one first.";
    case "keys-changed":
      return "The keys changed after this page was drawn, so nothing was done. They are shown here as they are now.";
    case "changed-since":
      return "What stands changed after this was shown, so nothing was done. Look at every row again.";
    case "proof-needed":
      return "Nothing was done yet: prove first that it is you, at Sign-in and security on your account's page.";
    case "admin-exists":
      return "There is an administrator already.";
    case "last-admin":
      return "Nobody else who can sign in administers every practice. Give somebody else that role first.";
    case "own-rights":
      return "Nobody gives a role to themselves. Ask another administrator.";
    case "account-closed":
      return "This account is closed. Open it first.";
    case "by-group":
      return "A group of the single sign-on provider gives this role. Take it from the group, or the person out of it.";
    case "sso-first":
      return "Sign in through the provider first, so that you are not shut out yourself.";
    case "admins-unlinked":
      return "Nobody who administers every practice is linked to the provider, so that all of them would be shut out. Let one of them link their account first.";
    case "busy":
      return "Many people are signing in just now. Nothing was done: try again in a moment.";
    case "beyond-reach":
      return "This person also works where you are no administrator. An administrator of every practice can do this.";
  }
}
