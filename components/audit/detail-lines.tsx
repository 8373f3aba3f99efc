import { supportText, unlistedText } from "#lib/messages/admin/payers";
import { lineText } from "#lib/messages/admin/practice";
import { stateText } from "#lib/messages/reviewer/case";
import { checkBrief } from "#lib/messages/reviewer/checks";
import { placeText, valueText as settingText } from "#lib/messages/admin/versions";
import { denialReasons, permissionLabels } from "#lib/messages/admin/channel";
import { changesBetween } from "#lib/task/model/changes";
import { levels, type CheckType } from "#lib/gate/model/check";
import { reportTexts } from "#lib/messages/reviewer/report-tables";
import { connectorText } from "#lib/messages/connector-text";
import { states, type State } from "#lib/task/model/task";
import {
  changedName,
  factorTexts,
  kindTexts,
  memberName,
  overlapTexts,
  requestedText,
} from "#lib/messages/admin/audit-details";

/** A value as it is shown: in words, or an instant. */
export type DetailValue = string | Date;

/** One line of what an entry says: what it is, or what it was and what it is now. */
export type Line = {
  readonly name: string;
  readonly value?: DetailValue | undefined;
  readonly change?: { readonly before: DetailValue | undefined; readonly after: DetailValue | undefined } | undefined;
};

/** What people, channels and practices are called, by their ids. */
export type Names = ReadonlyMap<string, string>;

type Detail = Readonly<Record<string, unknown>>;

/**
 * An entry's details in words: settings with what they were and what they are now, people by name, instants. Ids and
 * digests nobody reads are left out; the entry's own text has them.
 */
export function detailLines(act: string, detail: Detail, names: Names): readonly Line[] {
  const { from, to, ...rest } = detail;
  return [
    ...("to" in detail ? changeLines(act, { from, to }, names) : fromLine(act, detail, names)),
    ...memberLines(typeof to === "string" && isState(to) ? ofCase(rest) : ofOne(rest), names),
  ];
}

/** Of a case nobody reads the row's version, nor that one vote of one was enough. */
function ofCase({ version: _, needed, votes, ...rest }: Detail): Detail {
  return needed === 1 && votes === 1 ? rest : { ...rest, votes, needed };
}

/** What happened once was when the entry says; only of several one asks how many, and from when to when. */
function ofOne(detail: Detail): Detail {
  const { count, first: _, last: __, ...rest } = detail;
  return count === 1 ? rest : detail;
}

/** Members that are of no use to a reader, whatever they hold. */
const unread = new Set(["gate", "gateId", "session", "search", "note", "identity", "digest", "file", "receipt"]);

function memberLines(detail: Detail, names: Names): readonly Line[] {
  return inOrder(detail).flatMap(([name, value]): readonly Line[] => {
    if (value === null || value === undefined || unread.has(name)) return [];
    if (isObject(value) && "from" in value && "to" in value)
      return [changeLine(memberName(name), shownOf(name, value["from"], names), shownOf(name, value["to"], names))];
    if (isObject(value) && Array.isArray(value["added"]) && Array.isArray(value["removed"]))
      return listLines(memberName(name), { added: value["added"], removed: value["removed"] }, (item) =>
        textOf(name, item, names),
      );
    if (name === "settings" && isObject(value))
      return Object.entries(value).map(([key, set]) => ({
        name: placeText(`/settings/${key}`),
        value: settingText(`/settings/${key}`, JSON.stringify(set)),
      }));
    if (isObject(value)) return memberLines(value, names);
    const shown = shownOf(name, value, names);
    return shown === undefined ? [] : [{ name: memberName(name), value: shown }];
  });
}

/** What an entry is about comes first; the rest stands as it is written. */
function inOrder(detail: Detail): readonly (readonly [name: string, value: unknown])[] {
  const first = aboutMembers.filter((name) => Object.hasOwn(detail, name));
  const rest = Object.keys(detail).filter((name) => !first.includes(name));
  return [...first, ...rest].map((name) => [name, detail[name]]);
}

const aboutMembers = ["person", "payer", "name", "group", "role", "roles", "practices", "revision", "version"];

/** `from` alone: whom a case was taken over from, or since when something is counted. */
function fromLine(_: string, { from, count }: Detail, names: Names): readonly Line[] {
  const shown = shownOf("from", from, names);
  // What happened once was when the entry says.
  if (shown === undefined || (shown instanceof Date && count === 1)) return [];
  return [{ name: memberName(shown instanceof Date ? "since" : "from"), value: shown }];
}

function changeLines(act: string, { from, to }: Detail, names: Names): readonly Line[] {
  if (Array.isArray(from) && Array.isArray(to)) {
    const lists = {
      added: to.filter((item) => !from.includes(item)),
      removed: from.filter((item) => !to.includes(item)),
    };
    return listLines(changedName(act), lists, warningText);
  }
  if (isObject(to)) return settingLines(act, isObject(from) ? from : {}, to);
  const shown = (value: unknown) =>
    typeof value === "string" ? (textOfAct[act]?.(value) ?? shownOf("to", value, names)) : shownOf("to", value, names);
  // A first state, or one that an act left as it was.
  if (typeof to === "string" && isState(to) && (from === undefined || from === to))
    return [{ name: changedName(act), value: shown(to) }];
  return [changeLine(changedName(act), shown(from), shown(to))];
}

/** Words for what an act changed from and to. */
const textOfAct: Readonly<Record<string, (text: string) => string>> = {
  "route.line-of-business-set": lineText,
  "practice.unlisted-payers-set": unlistedText,
};

/** Settings that changed, named as on the page that sets them. */
function settingLines(act: string, from: Detail, to: Detail): readonly Line[] {
  const { action, risk } = to;
  const isRule = act === "practice.vote-rule-set" && typeof action === "string" && typeof risk === "string";
  return changesBetween(from, to)
    .map(({ path, before, after }) => ({ path: isRule ? `/votes/${action}-${risk}${path}` : path, before, after }))
    .filter(({ path }) => !/^\/votes\/[^/]+\/(action|risk)$/.test(path))
    .map(({ path, before, after }) =>
      changeLine(sentence(placeText(path)), settingText(path, before), settingText(path, after)),
    );
}

type Lists = { readonly added: readonly unknown[]; readonly removed: readonly unknown[] };

function listLines(name: string, { added, removed }: Lists, textOfItem: (item: unknown) => string): readonly Line[] {
  const line = (what: string, items: readonly unknown[]): readonly Line[] =>
    items.length === 0 ? [] : [{ name: `${name} ${what}`, value: items.map(textOfItem).join(", ") }];
  return [...line("added", added), ...line("removed", removed)];
}

function changeLine(name: string, before: DetailValue | undefined, after: DetailValue | undefined): Line {
  return { name, change: { before, after } };
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const opaque = /^[0-9a-f]{64}$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function shownOf(name: string, value: unknown, names: Names): DetailValue | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === "string" && instant.test(value)) return new Date(value);
  if (Array.isArray(value))
    return value.length === 0 ? "none" : value.map((item) => textOf(name, item, names)).join(", ");
  const text = textOf(name, value, names);
  return opaque.test(text) ? undefined : text;
}

/** Words for values of members that have their own. */
const texts: Readonly<Record<string, (text: string) => string>> = {
  answer: (text) => text.replaceAll("-", " "),
  atoms: (text) => known(permissionLabels, text)?.text ?? text,
  attention: (text) => text.replaceAll("-", " "),
  by: (text) => known(factorTexts, text) ?? text,
  connector: connectorText,
  correction: (text) => text.replaceAll("-", " "),
  kind: (text) => known(kindTexts, text) ?? text,
  lineOfBusiness: lineText,
  overlap: (text) => known(overlapTexts, text) ?? text,
  outcome: (text) => text.replaceAll("-", " "),
  requested: (text) => known(requestedText, text) ?? text,
  rule: (text) => known(denialReasons, text) ?? text,
  requiredFields: (text) => settingText("/requiredFields/0", JSON.stringify(text)) ?? text,
  supports: supportText,
  table: (text) => known(reportTexts, text)?.title ?? text,
  scope: (text) => (text === "*" ? "everything without its own setting" : text),
  from: stateOr,
  to: stateOr,
  warnings: warningText,
};

function textOf(name: string, value: unknown, names: Names): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (isObject(value)) return roleText(value, names) ?? JSON.stringify(value);
  const text = String(value);
  return names.get(text) ?? texts[name]?.(text) ?? text;
}

/** `{role, practices}`, as rights are recorded. */
function roleText({ role, practices }: Detail, names: Names): string | undefined {
  if (typeof role !== "string") return undefined;
  if (!Array.isArray(practices)) return `${role} everywhere`;
  return `${role} in ${practices.map((id) => names.get(String(id)) ?? String(id)).join(", ")}`;
}

function warningText(value: unknown): string {
  return isCheck(value) ? checkBrief(value) : String(value);
}

function stateOr(text: string): string {
  return isState(text) ? stateText(text) : text;
}

const isCheck = (value: unknown): value is CheckType => Object.hasOwn(levels, String(value));
const isState = (text: string): text is State => states.some((state) => state === text);

function known<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function isObject(value: unknown): value is Detail {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
