import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { insertPractice, payersWithoutRoute, updatePractice } from "#lib/practice/store/admin-practices";
import { serviceChain } from "#lib/audit/model/entry";
import { inTransaction, type Tx } from "#lib/db/db";
import { recountPayerClocks } from "#lib/task/shared/payer-clocks";
import { rerouteTasks } from "#lib/submission/reroute-tasks";
import { administerProved, mayAdminister, type Entry } from "#lib/access/administer";
import { deny } from "#lib/access/deny";
import { practiceProblems } from "#lib/messages/problems/admin";
import { readCsv, type CsvRow, type ImportKind } from "./import-csv.ts";
import { planPayers, type PlannedPayer } from "./import-payers.ts";
import { planPractices, planRoutes, type PlannedPractice, type PlannedRoute } from "./import-plan.ts";
import type { PlannedRow, RowOutcome } from "./import-row.ts";
import type { AdminRefusal } from "#lib/access/refusal";
import { writePayer } from "#lib/practice/directory/set-payer";
import { putRoute } from "#lib/practice/set-route";

export type { RowOutcome };

/** What an import would do, row by row. `digest` identifies these changes and the state they start from. */
export type Preview = { readonly rows: readonly RowOutcome[]; readonly digest: string };

/** How many rows were written, and how many gates were superseded by them. */
export type ImportedSettings = { readonly written: number; readonly superseded: number };

type ImportFile = { readonly kind: ImportKind; readonly text: string };

/** Returns what each row of a file would change. Writes nothing. */
export async function previewImport(
  { actor, store }: Context,
  { kind, text }: ImportFile,
): Promise<Result<Preview, AdminRefusal>> {
  if (!mayAdminister(actor, "what-it-reads")) return deny({ actor, store }, "change");
  const read = readCsv(kind, text);
  if (!read.ok) return read;
  return inTransaction(store, async (tx) => ok(previewOf(kind, await planOf(kind, { actor, tx }, read.value))));
}

/**
 * Applies what a preview showed, all rows or none, in one transaction. Refuses with `changed-since` where the state is
 * no longer that of the preview.
 */
export async function applyImport(
  ctx: Context,
  { kind, text, digest }: ImportFile & { readonly digest: string },
): Promise<Result<ImportedSettings, AdminRefusal>> {
  const applied = await administerProved(ctx, "what-it-reads", async (tx) => {
    const read = readCsv(kind, text);
    if (!read.ok) return read;
    const { actor } = ctx;
    const planned = await planOf(kind, { actor, tx }, read.value);
    const preview = previewOf(kind, planned);
    if (preview.digest !== digest) return refuse({ type: "changed-since" });
    const bad = preview.rows.find(({ outcome }) => outcome === "refused");
    if (bad)
      return refuse({
        type: "invalid",
        issues: [{ field: "file", problem: practiceProblems.refusedInLine(bad.line) }],
      });
    const written: WriteOutcome[] = [];
    for (const { row, write } of planned) {
      if (!write || row.outcome === "unchanged") continue;
      written.push(await writeRow(tx, write));
    }
    // Each entry is in the chain of its practice and names the file by its digest.
    const file = sha256(text);
    const entries = written
      .flatMap((each) => each.entries)
      .map((entry) => ({ ...entry, detail: { ...entry.detail, import: file } }));
    const changedRoutes = written.flatMap((each) => each.changedRoutes);
    return ok({ value: { written: entries.length, changedRoutes }, chain: serviceChain, entries });
  }).catch((error: unknown) => {
    if (error instanceof PracticeCreatedMeanwhile) return undefined;
    throw error;
  });
  if (!applied?.ok) return applied ?? refuse({ type: "changed-since" });
  const worker = { actor: { kind: "worker" }, store: ctx.store } as const;
  let superseded = 0;
  const { written, changedRoutes } = applied.value;
  for (const route of changedRoutes) superseded += await rerouteTasks(worker, route);
  return ok({ written, superseded });
}

/**
 * Another caller created a practice with the same id after the plan was made. Throwing it undoes everything written.
 */
class PracticeCreatedMeanwhile extends Error {}

type RowPlan = PlannedPractice | PlannedRoute | PlannedPayer;
type AnyPlan = readonly PlannedRow<RowPlan>[];

function planOf(kind: ImportKind, by: { actor: Context["actor"]; tx: Tx }, rows: readonly CsvRow[]): Promise<AnyPlan> {
  return { practices: planPractices, routes: planRoutes, payers: planPayers }[kind](by, rows);
}

/** The digest covers each row's outcome with its values before and after, so that a change of either changes it. */
function previewOf(kind: ImportKind, planned: AnyPlan): Preview {
  const rows = planned.map(({ row }) => row);
  return { rows, digest: sha256(canonicalize({ kind, rows }) ?? "") };
}

type ChangedRoute = { readonly practiceId: string; readonly payerId: string };

/** What one row of the file changed: its audit entries, and the payer connections whose open gates must follow. */
type WriteOutcome = { readonly entries: readonly Entry[]; readonly changedRoutes: readonly ChangedRoute[] };

async function writeRow(tx: Tx, write: RowPlan): Promise<WriteOutcome> {
  if ("practice" in write) return writeRoute(tx, write);
  if ("payerOf" in write) return writeListedPayer(tx, write);
  return writePractice(tx, write);
}

async function writeListedPayer(tx: Tx, { payerOf: { id }, ...change }: PlannedPayer): Promise<WriteOutcome> {
  const { value, entries } = await writePayer(tx, id, change);
  return {
    entries: entries.map((entry) => ({ ...entry, chain: id })),
    changedRoutes: value.changesSupport ? [{ practiceId: id, payerId: change.next.payerId }] : [],
  };
}

async function writePractice(tx: Tx, { before, next }: PlannedPractice): Promise<WriteOutcome> {
  const { id, ...settings } = next;
  if (!before) {
    if (!(await insertPractice(tx, next))) throw new PracticeCreatedMeanwhile();
    return { entries: [{ chain: id, act: "practice.created", detail: settings }], changedRoutes: [] };
  }
  const payers = before.environment === next.environment ? [] : await payersWithoutRoute(tx, id);
  await updatePractice(tx, id, settings);
  if (before.timeZone !== next.timeZone) await recountPayerClocks(tx, { practiceId: id });
  // Safe because the settings have exactly the keys of their type.
  const names = (Object.keys(settings) as (keyof typeof settings)[]).filter(
    (name) => (before[name] ?? null) !== settings[name],
  );
  const from = Object.fromEntries(names.map((name) => [name, before[name] ?? null]));
  const to = Object.fromEntries(names.map((name) => [name, settings[name]]));
  return {
    entries: [{ chain: id, act: "practice.settings-changed", detail: { from, to } }],
    changedRoutes: payers.map((payerId) => ({ practiceId: id, payerId })),
  };
}

async function writeRoute(tx: Tx, { practice, next }: PlannedRoute): Promise<WriteOutcome> {
  const { entries } = await putRoute(tx, practice, next);
  return {
    entries: entries.map((entry) => ({ ...entry, chain: practice.id })),
    changedRoutes: [{ practiceId: practice.id, payerId: next.payerId }],
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
