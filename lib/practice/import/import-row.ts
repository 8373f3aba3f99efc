import { changesBetween, type Change } from "#lib/task/model/changes";
import type { Context } from "#lib/access/context";
import { administers, reaches } from "#lib/access/model/actor";
import type { AdminRefusal, Issue } from "#lib/access/refusal";
import type { Tx } from "#lib/db/db";
import { lockPractice, type PracticeRecord } from "#lib/practice/shared/practices";
import type { CsvRow } from "./import-csv.ts";

/** What a row would change, field by field, or why it is refused. */
export type RowOutcome = {
  readonly line: number;
  readonly key: string;
  readonly outcome: "new" | "changed" | "unchanged" | "refused";
  readonly changes: readonly Change[];
  readonly issues: readonly Issue[];
};

/** A row with what is written where the file is applied; nothing where it is refused. */
export type PlannedRow<Write> = { readonly row: RowOutcome; readonly write?: Write | undefined };

/** The problems of a row, by the columns of its file. All settings of a connector are in one column. */
export function issuesByColumn(columns: Readonly<Record<string, string>>, refusal: AdminRefusal): readonly Issue[] {
  if (refusal.type !== "invalid") return [];
  return refusal.issues.map(({ field, problem }) => {
    const [name = field, member] = field.split(".", 2);
    return { field: columns[name] ?? name, problem: member === undefined ? problem : `${member} ${problem}` };
  });
}

/** What a row comes to, by what stands before it and after it. */
export function outcomeOf({ line }: CsvRow, key: string, before: object | undefined, next: object): RowOutcome {
  const changes = changesBetween(before ?? {}, next).filter(({ path, after }) => before || (path && after !== "null"));
  const kind = before === undefined ? "new" : changes.length > 0 ? "changed" : "unchanged";
  return { line, key, outcome: kind, changes, issues: [] };
}

export function refusedRow({ line }: CsvRow, key: string, issues: readonly Issue[]) {
  return { row: { line, key, outcome: "refused", changes: [], issues } } as const;
}

/**
 * The existing practices among these that the actor administers, locked in the order of their ids, so that two imports
 * never deadlock. The others are neither read nor locked: how long it takes says nothing about them, and nobody there waits.
 */
export async function lockPractices(
  { actor, tx }: { actor: Context["actor"]; tx: Tx },
  ids: readonly string[],
): Promise<ReadonlyMap<string, PracticeRecord>> {
  const found = new Map<string, PracticeRecord>();
  const reach = administers(actor);
  for (const id of [...new Set(ids)].toSorted()) {
    const practice = id !== "" && reaches(reach, [id]) ? await lockPractice(tx, id) : undefined;
    if (practice) found.set(id, practice);
  }
  return found;
}
