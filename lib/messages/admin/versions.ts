import { lineText } from "#lib/messages/admin/practice";
import { levels, type CheckType } from "#lib/gate/model/check";
import { requiredText } from "#lib/task/model/required-fields";
import { settingLabels } from "#lib/messages/admin/connection-settings";
import { checkBrief } from "#lib/messages/reviewer/checks";
import { supportText, unlistedText } from "./payers.ts";

const fields: Readonly<Record<string, string>> = {
  name: "Name",
  status: "State",
  environment: "Environment",
  timeZone: "Time zone",
  npi: "NPI of the organisation",
  taxId: "Tax id",
  recallWindowS: "Undo window (seconds)",
  gateExpiryDays: "Releases expire after (days)",
  urgentTargetH: "Target for urgent cases, hours",
  standardTargetH: "Target for other cases, hours",
  notedWarnings: "Warnings only noted",
  ssoOnly: "Single sign-on is the only way in",
  reviewersSecondFactor: "Reviewers need a second factor",
  unlistedPayers: "Requests to unlisted payers",
  payerName: "Payer's name",
  connector: "Connection type",
  url: "Address",
  lineOfBusiness: "Line of business",
  requiredFields: "Required field",
  aliases: "Other name",
  supports: "Supports",
  removed: "Removed from the directory",
  credential: "Credential",
  route: "Route's version",
  owner: "Owner",
  callsPerSecond: "Calls per second",
  callsAtOnce: "Calls at once",
  otherPractices: "Practices you do not administer",
};

/** Members of a version's state whose items are either there or not. */
const members: Readonly<Record<string, string>> = {
  atoms: "May",
  practices: "Reaches",
  networks: "Calls from",
  webhooks: "Webhooks to",
};

/** The names of people, channels and practices, by their ids. */
export type Names = ReadonlyMap<string, string>;

const acts: Readonly<Record<string, string>> = {
  "settings.found": "stood when versions began",
  "practice.created": "made the practice",
  "practice.renamed": "renamed it",
  "practice.suspended": "suspended it",
  "practice.resumed": "resumed it",
  "practice.settings-changed": "changed its settings",
  "practice.noted-warnings-set": "chose which warnings are only noted",
  "practice.vote-rule-set": "set how many release",
  "practice.targets-set": "set its targets",
  "practice.providers-set": "changed its providers",
  "practice.sso-only-set": "set how people sign in",
  "practice.second-factor-set": "set whether reviewers need a second factor",
  "group.mapped": "gave a role to a group of the provider",
  "group.unmapped": "took a role from a group of the provider",
  "channel.created": "made the channel",
  "channel.changed": "changed it",
  "channel.suspended": "suspended it",
  "channel.resumed": "resumed it",
  "practice.unlisted-payers-set": "set what happens to requests to unlisted payers",
  "payer.set": "set the payer",
  "payer.removed": "removed the payer",
  "payer.rules-set": "set which requests go over another connection",
  "route.set": "put the route in force",
  "route.line-of-business-set": "set the line of business",
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
  if (field === "groups") return `Group ${member ?? ""} gives: ${part ?? ""}`;
  if (field === "votes" && key !== undefined)
    return `${key.replace("-", ", ")} risk: ${member === "votes" ? "people" : "new proof"}`;
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
  "/unlistedPayers": unlistedText("refuse"),
};

/** A value of a version's state, given as JSON, as people read it; undefined where there is nothing to show. */
export function valueText(path: string, json: string | undefined, names?: Names): string | undefined {
  if (json === undefined) return leftOut[path];
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
  return path === "/lineOfBusiness" ? lineText(text) : text;
}

/** A part of a JSON pointer without its escapes (RFC 6901). */
const unescaped = (part: string) => part.replaceAll("~1", "/").replaceAll("~0", "~");
