import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { insertPractice, payersWithoutRoute, updatePractice } from "#lib/practice/store/admin-practices";
import { serviceChain } from "#lib/audit/store/audit";
import { inTransaction, type Store, type Tx } from "#lib/db/db";
import { recountPayerClocks } from "#lib/task/store/payer-clocks";
import { rerouteTasks } from "#lib/submission/reroute-tasks";
import { administerProved, mayAdminister, type Entry } from "#lib/access/administer";
import { denied } from "#lib/access/denied";
import { readCsv, type CsvRow, type ImportKind } from "./import-csv.ts";
import {
  planPractices,
  planRoutes,
  type PlannedRow,
  type PlannedPractice,
  type PlannedRoute,
  type RowOutcome,
} from "./import-plan.ts";
import type { AdminRefusal } from "#lib/access/refusal";
import { putRoute } from "#lib/practice/set-route";

export type { RowOutcome };

/** What an import would do, row by row; `digest` names exactly that, over exactly what stands now. */
export type Preview = { readonly rows: readonly RowOutcome[]; readonly digest: string };

type Asked = { readonly kind: ImportKind; readonly text: string };

/** Says what every row of a file would come to. Writes nothing. */
export async function previewImport(
  { actor, store }: Context,
  { kind, text }: Asked,
): Promise<Result<Preview, AdminRefusal>> {
  if (!mayAdminister(actor, "what-it-reads")) return denied({ actor, store }, "change");
  const read = readCsv(kind, text);
  if (!read.ok) return read;
  return inTransaction(store, async (tx) => ok(shown(kind, await planOf(kind, { actor, tx }, read.value))));
}

/**
 * Does what a preview showed, all rows or none, in one transaction. Where what
 * it was measured by changed since, nothing is done and `changed-since` says so.
 */
export async function applyImport(
  ctx: Context,
  { kind, text, digest }: Asked & { readonly digest: string },
): Promise<Result<{ written: number; superseded: number }, AdminRefusal>> {
  const touched: { practiceId: string; payerId: string }[] = [];
  const applied = await administerProved(ctx, "what-it-reads", async (tx) => {
    const read = readCsv(kind, text);
    if (!read.ok) return read;
    const { actor } = ctx;
    // What is tried again begins anew.
    touched.length = 0;
    const planned = await planOf(kind, { actor, tx }, read.value);
    const preview = shown(kind, planned);
    if (preview.digest !== digest) return refuse({ type: "changed-since" });
    const bad = preview.rows.find(({ outcome }) => outcome === "refused");
    if (bad) return refuse({ type: "invalid", issues: [{ field: "file", problem: `is refused in line ${bad.line}` }] });
    const entries: Entry[] = [];
    for (const { row, write } of planned) {
      if (!write || row.outcome === "unchanged") continue;
      if ("practice" in write) entries.push(...(await writeRoute({ tx, store: ctx.store }, write, touched)));
      else entries.push(await writePractice(tx, write, touched));
    }
    // Each is on record where it belongs; the file is named by its digest.
    const file = sha256(text);
    const told = entries.map((entry) => ({ ...entry, detail: { ...entry.detail, import: file } }));
    return ok({ value: entries.length, chain: serviceChain, entries: told });
  }).catch((error: unknown) => {
    if (error instanceof MadeMeanwhile) return undefined;
    throw error;
  });
  if (!applied?.ok) return applied ?? refuse({ type: "changed-since" });
  const worker = { actor: { kind: "worker" }, store: ctx.store } as const;
  let superseded = 0;
  for (const route of touched) superseded += await rerouteTasks(worker, route);
  return ok({ written: applied.value, superseded });
}

/** Somebody made a practice of the same id after the plan was made: everything written so far is undone. */
class MadeMeanwhile extends Error {}

type AnyPlan = readonly PlannedRow<PlannedPractice | PlannedRoute>[];

function planOf(kind: ImportKind, by: { actor: Context["actor"]; tx: Tx }, rows: readonly CsvRow[]): Promise<AnyPlan> {
  return kind === "practices" ? planPractices(by, rows) : planRoutes(by, rows);
}

/** The digest covers each row's outcome with what stands before and after, so that a change of either shows. */
function shown(kind: ImportKind, planned: AnyPlan): Preview {
  const rows = planned.map(({ row }) => row);
  return { rows, digest: sha256(canonicalize({ kind, rows }) ?? "") };
}

async function writePractice(tx: Tx, { before, next }: PlannedPractice, touched: Touched[]): Promise<Entry> {
  const { id, ...settings } = next;
  if (!before) {
    if (!(await insertPractice(tx, next))) throw new MadeMeanwhile();
    return { chain: id, act: "practice.created", detail: settings };
  }
  if (before.environment !== next.environment)
    for (const payerId of await payersWithoutRoute(tx, id)) touched.push({ practiceId: id, payerId });
  await updatePractice(tx, id, settings);
  if (before.timeZone !== next.timeZone) await recountPayerClocks(tx, { practiceId: id });
  // Safe because the settings' own names are of their type.
  const names = (Object.keys(settings) as (keyof typeof settings)[]).filter(
    (name) => (before[name] ?? null) !== settings[name],
  );
  const from = Object.fromEntries(names.map((name) => [name, before[name] ?? null]));
  const to = Object.fromEntries(names.map((name) => [name, settings[name]]));
  return { chain: id, act: "practice.settings-changed", detail: { from, to } };
}

type Touched = { readonly practiceId: string; readonly payerId: string };

async function writeRoute(
  db: { tx: Tx; store: Store },
  { practice, next }: PlannedRoute,
  touched: Touched[],
): Promise<readonly Entry[]> {
  const { entries } = await putRoute(db, practice, next);
  touched.push({ practiceId: practice.id, payerId: next.payerId });
  return entries.map((entry) => ({ ...entry, chain: practice.id }));
}

function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
