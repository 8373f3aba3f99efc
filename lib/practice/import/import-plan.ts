import type { Context } from "#lib/access/context";
import { administers } from "#lib/access/model/actor";
import { loadLikeIds, testChannelsOf, type NewPractice } from "#lib/practice/store/admin-practices";
import type { PracticeRecord } from "#lib/practice/shared/practices";
import { testOnlyProblem } from "#lib/practice/test-only";
import { routesInForce, type RouteInForce } from "#lib/practice/store/admin-routes";
import type { Tx } from "#lib/db/db";
import { practiceSettings, targetHours } from "#lib/practice/change-practice-settings";
import { validate, nameText, practiceIdText } from "#lib/access/validate";
import { practiceProblems } from "#lib/messages/problems/admin";
import type { CsvRow } from "./import-csv.ts";
import type { Issue } from "#lib/access/refusal";
import { issuesByColumn, lockPractices, outcomeOf, refusedRow, type PlannedRow } from "./import-row.ts";
import { keptCredentialProblem, routeInput, type RouteInput } from "#lib/practice/route-input";
import { environmentOf } from "#lib/practice/set-route";

export type PlannedPractice = { readonly before: PracticeRecord | undefined; readonly next: Required<NewPractice> };
export type PlannedRoute = { readonly practice: PracticeRecord; readonly next: RouteInput };

const practiceRow = practiceSettings.extend({
  id: practiceIdText,
  name: nameText,
  urgentTargetH: targetHours,
  standardTargetH: targetHours,
});

const defaults = {
  name: "",
  environment: "test",
  timeZone: "America/New_York",
  recallWindowS: 10,
  gateExpiryDays: 14,
  urgentTargetH: 4,
  standardTargetH: 24,
  npi: "",
  taxId: "",
} as const;

const practiceFields = {
  name: "name",
  environment: "environment",
  timeZone: "time_zone",
  recallWindowS: "recall_window_s",
  gateExpiryDays: "gate_expiry_days",
  urgentTargetH: "urgent_target_h",
  standardTargetH: "standard_target_h",
  npi: "npi",
  taxId: "tax_id",
} as const satisfies Readonly<Record<keyof typeof defaults, string>>;

const routeFields = {
  payerId: "payer",
  payerName: "payer_name",
  lineOfBusiness: "line_of_business",
  requiredFields: "required_fields",
} as const;

/** Compares each row with the stored practice. Locks the practices of the file until the commit. */
export async function planPractices(
  { actor, tx }: { actor: Context["actor"]; tx: Tx },
  rows: readonly CsvRow[],
): Promise<readonly PlannedRow<PlannedPractice>[]> {
  const ids = rows.map(({ cells }) => cells["id"] ?? "");
  const known = await lockPractices({ actor, tx }, ids);
  const like = await loadLikeIds(tx, ids);
  const testChannels = await testChannelsOf(tx, [...known.keys()]);
  return rows.map((row) => {
    const key = row.cells["id"] ?? "";
    const before = known.get(key);
    const isTwin = (id = "") => (before ? id === key : id.toLowerCase() === key.toLowerCase());
    const twice = rows.find((other) => isTwin(other.cells["id"]));
    if (twice && twice !== row)
      return refusedRow(row, key, [{ field: "id", problem: practiceProblems.sameAsLine(twice.line) }]);
    if (!before && administers(actor) !== "every")
      return refusedRow(row, key, [{ field: "id", problem: practiceProblems.notYourPractice }]);
    if (!before && like.has(key.toLowerCase()))
      return refusedRow(row, key, [{ field: "id", problem: practiceProblems.capitalsAlone }]);
    const read = validate(practiceRow, { id: key, ...practiceInput(row, before) });
    if (!read.ok) return refusedRow(row, key, issuesByColumn(practiceFields, read.refusal));
    const { npi = null, taxId = null, ...rest } = read.value;
    if (rest.urgentTargetH > rest.standardTargetH)
      return refusedRow(row, key, [{ field: "urgent_target_h", problem: practiceProblems.urgentTargetLonger }]);
    const problem = before && rest.environment === "live" ? testOnlyProblem(before, testChannels) : undefined;
    if (problem !== undefined) return refusedRow(row, key, [{ field: "environment", problem }]);
    const next = { ...rest, npi, taxId };
    return { row: outcomeOf(row, key, before && practiceShown(before), practiceShown(next)), write: { before, next } };
  });
}

/** A missing column keeps the stored value; an empty cell sets the default. */
function practiceInput({ cells }: CsvRow, before: PracticeRecord | undefined): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(practiceFields).map(([name, column]) => {
      // Safe because both tables have the same keys.
      const field = name as keyof typeof defaults;
      const cell = cells[column];
      const standing = before ? (before[field] ?? "") : defaults[field];
      const given = cell === "" ? defaults[field] : cell;
      return [name, cell === undefined ? standing : typeof defaults[field] === "number" ? Number(given) : given];
    }),
  );
}

function practiceShown(practice: Omit<PlannedPractice["next"], "npi" | "taxId"> & Ids): object {
  const { npi, taxId } = practice;
  const own = Object.keys(practiceFields).map((name) => [name, practice[name as keyof typeof practiceFields]]);
  return { ...Object.fromEntries(own), npi: npi ?? null, taxId: taxId ?? null };
}

type Ids = { readonly npi?: string | null | undefined; readonly taxId?: string | null | undefined };

/** The same for payer connections. A stored credential is kept where it may be; a file never contains one. */
export async function planRoutes(
  { actor, tx }: { actor: Context["actor"]; tx: Tx },
  rows: readonly CsvRow[],
): Promise<readonly PlannedRow<PlannedRoute>[]> {
  const practices = await lockPractices(
    { actor, tx },
    rows.map(({ cells }) => cells["practice"] ?? ""),
  );
  const standing = new Map<string, ReadonlyMap<string, RouteInForce>>();
  for (const id of practices.keys()) standing.set(id, await routesInForce(tx, id));
  return rows.map((row) => {
    const { practice: practiceId = "", payer = "" } = row.cells;
    const key = `${practiceId}, ${payer}`;
    const twice = rows.find(({ cells }) => cells["practice"] === practiceId && cells["payer"] === payer);
    if (twice && twice !== row)
      return refusedRow(row, key, [{ field: "payer", problem: practiceProblems.sameAsLine(twice.line) }]);
    const practice = practices.get(practiceId);
    if (!practice) return refusedRow(row, key, [{ field: "practice", problem: practiceProblems.notYourPractice }]);
    const before = standing.get(practiceId)?.get(payer);
    const input = routeOf(row, before);
    if ("issue" in input) return refusedRow(row, key, [input.issue]);
    const read = validate(routeInput, { payerId: payer, keepCredential: true, ...input.route });
    if (!read.ok) return refusedRow(row, key, issuesByColumn(routeFields, read.refusal));
    const problem = keptCredentialProblem(before, read.value);
    if (problem !== undefined)
      return refusedRow(row, key, [{ field: "url", problem: practiceProblems.connectionMoves(problem) }]);
    const next = { ...read.value, environment: environmentOf(read.value, practice) };
    return { row: outcomeOf(row, key, before && routeShown(before), routeShown(next)), write: { practice, next } };
  });
}

function routeOf({ cells }: CsvRow, before: RouteInForce | undefined): { route: object } | { issue: Issue } {
  const pick = (column: string, standing: string | undefined) => {
    const cell = cells[column];
    return (cell === undefined ? standing : cell) || undefined;
  };
  const { settings: pairs, required_fields: required } = cells;
  const settings = pairs === undefined ? before?.settings : settingsOf(pairs);
  if (pairs !== undefined && settings === undefined)
    return { issue: { field: "settings", problem: practiceProblems.namedValues } };
  const route = {
    payerName: pick("payer_name", before?.payerName),
    connector: pick("connector", before?.connector) ?? "manual",
    url: pick("url", before?.url),
    environment: pick("environment", before?.environment),
    lineOfBusiness: pick("line_of_business", before?.lineOfBusiness),
    requiredFields: required === undefined ? (before?.requiredFields ?? []) : required.split(/[\s;]+/).filter(Boolean),
    settings: settings ?? {},
  };
  return { route };
}

function settingsOf(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = text.split(";").flatMap((pair) => (pair.trim() === "" ? [] : [pair.trim()]));
  if (pairs.some((pair) => pair.indexOf("=") < 1)) return undefined;
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf("=")).trim(), pair.slice(pair.indexOf("=") + 1).trim()]),
  );
}

function routeShown(route: Omit<RouteInForce, "version" | "hasCredential">): object {
  const { payerName, connector, url, environment, lineOfBusiness, requiredFields, settings } = route;
  const texts = { payerName, connector, url, environment, lineOfBusiness };
  const entries = Object.entries(texts).map(([name, value]) => [name, value ?? null]);
  return { ...Object.fromEntries(entries), requiredFields, settings };
}
