import { connectorText } from "#lib/messages/connector-text";
import { knownText } from "#lib/messages/known-text";
import { lineText, ruleLabels } from "#lib/messages/admin/practice";
import { levels, type CheckType } from "#lib/gate/model/check";
import { requiredText } from "#lib/messages/labels/required-fields";
import { settingLabels } from "#lib/messages/admin/connection-settings";
import { checkBrief } from "#lib/messages/reviewer/checks";
import { supportText, unlistedText } from "./payers.ts";

const fields: Readonly<Record<string, string>> = {
  name: "Name",
  status: "Status",
  environment: "Environment",
  timeZone: "Time zone",
  npi: "Organization NPI",
  taxId: "Tax ID",
  recallWindowS: "Undo window (seconds)",
  gateExpiryDays: "Requests expire after (days)",
  urgentTargetH: "Target for urgent requests (hours)",
  standardTargetH: "Target for standard requests (hours)",
  notedWarnings: "Warning without override reason",
  ssoOnly: "Only single sign-on",
  reviewersSecondFactor: "Second factor for reviewers",
  secondAdmin: "Second admin confirms",
  autoReview: "Automatic review",
  emergencyAccess: "Emergency access",
  payerName: "Payer name",
  connector: "Connection type",
  url: "Address",
  lineOfBusiness: "Line of business",
  requiredFields: "Field the payer requires",
  unlistedPayers: "Requests to unlisted payers",
  aliases: "Other name",
  supports: "Supports",
  removed: "Removed from the directory",
  credential: "Credential",
  route: "Connection version",
  owner: "Owner",
  callsPerSecond: "Rate limit (calls per second)",
  callsAtOnce: "Concurrent calls",
  otherPractices: "Practices you don't administer",
};

/** Members of a version's state whose items are either there or not. */
const members: Readonly<Record<string, string>> = {
  atoms: "Permission",
  practices: "Practice access",
  networks: "IP allowlist",
  webhooks: "Webhook host",
};

/** The names of people, channels and practices, by their ids. */
export type Names = ReadonlyMap<string, string>;

const acts: Readonly<Record<string, string>> = {
  "settings.found": "recorded the settings at the start",
  "practice.created": "created the practice",
  "practice.renamed": "renamed the practice",
  "practice.suspended": "suspended the practice",
  "practice.resumed": "resumed the practice",
  "practice.settings-changed": "changed the settings",
  "practice.noted-warnings-set": "changed the override reasons",
  "practice.vote-rule-set": "changed the release rules",
  "practice.targets-set": "changed the targets",
  "practice.providers-set": "changed the providers",
  "practice.sso-only-set": "changed how people sign in",
  "practice.second-factor-set": "changed the second factor requirement",
  "practice.auto-review-set": "changed automatic review",
  "practice.second-admin-set": "changed whether a second admin confirms",
  "practice.emergency-access-set": "changed emergency access",
  "group.mapped": "gave a single sign-on group a role",
  "group.unmapped": "removed a role from a single sign-on group",
  "channel.created": "created the channel",
  "channel.changed": "changed the access",
  "channel.suspended": "suspended the channel",
  "channel.resumed": "resumed the channel",
  "route.set": "activated the payer connection",
  "route.line-of-business-set": "changed the line of business",
  "practice.unlisted-payers-set": "changed what happens to requests to unlisted payers",
  "payer.set": "saved the payer",
  "payer.removed": "removed the payer",
  "payer.rules-set": "changed which requests go over another connection",
};

/** What an act changed, as the end of a sentence that begins with the actor; an unknown act is shown as it is. */
export function versionActText(act: string): string {
  return acts[act] ?? act;
}

/** A place in a version's state, given as a JSON pointer such as `/recallWindowS`, as people read it. */
export function placeText(path: string, names?: Names): string {
  const [, field = "", key, member, part] = path.split("/").map(unescaped);
  const label = members[field];
  if (label !== undefined) return key === undefined ? label : `${label}: ${names?.get(key) ?? key}`;
  if (field === "settings") return key === undefined ? "Settings" : settingLabels(key).label;
  if (field === "providers") return key === undefined ? "Providers" : `Provider ${key}, ${member ?? ""}`;
  if (field === "rules")
    return key === undefined
      ? "Connection rules"
      : `Rule ${Number(key) + 1}, ${ruleMembers[member ?? ""] ?? member ?? ""}`;
  if (field === "groups") return `Role of group ${member ?? ""}: ${part ?? ""}`;
  if (field === "votes" && key !== undefined) {
    const rule = knownText(ruleLabels, key) ?? key;
    return `${rule}: ${member === "votes" ? "reviewers" : "verify identity"}`;
  }
  return fields[field] ?? field;
}

const ruleMembers: Readonly<Record<string, string>> = {
  name: "name",
  serviceTypes: "service type",
  codes: "codes",
  linesOfBusiness: "line of business",
  connection: "connection",
};

/** Settings that a version's state leaves out where they are as in the beginning, and what they are then. */
const leftOut: Readonly<Record<string, string>> = {
  "/ssoOnly": "no",
  "/reviewersSecondFactor": "no",
  "/secondAdmin": "no",
  "/autoReview": "no",
  "/emergencyAccess": "no",
  "/unlistedPayers": unlistedText("refuse"),
};

/** A value of a version's state, given as JSON, as people read it; undefined where there is nothing to show. */
export function valueText(path: string, json: string | undefined, names?: Names): string | undefined {
  if (json === undefined) return leftOut[path] ?? (isItem(path) ? "no" : undefined);
  // Safe because the value is a leaf of stored JSON.
  const value = JSON.parse(json) as string | number | boolean | null | object;
  // An object or a list that is a leaf is empty.
  if (value === null || typeof value === "object") return undefined;
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = names?.get(String(value)) ?? String(value);
  if (path.startsWith("/requiredFields/")) return requiredText(text);
  if (path.startsWith("/notedWarnings/")) return Object.hasOwn(levels, text) ? checkBrief(text as CheckType) : text;
  if (path.startsWith("/supports/")) return supportText(text);
  if (path === "/unlistedPayers") return unlistedText(text);
  if (path.startsWith("/settings/")) return settingLabels(path.slice("/settings/".length)).choices?.[text] ?? text;
  if (path === "/connector") return connectorText(text);
  return path === "/lineOfBusiness" ? lineText(text) : text;
}

/** An item that is either there or not. */
function isItem(path: string): boolean {
  const [, field = "", key] = path.split("/");
  return key !== undefined && Object.hasOwn(members, field);
}

/** A part of a JSON pointer without its escapes (RFC 6901). */
const unescaped = (part: string) => part.replaceAll("~1", "/").replaceAll("~0", "~");
