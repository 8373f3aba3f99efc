import type { Context } from "#lib/context";
import type { PersonActor } from "#lib/domain/actor";
import { countCaseNotes } from "#lib/store/case-notes";
import { loadClaims } from "#lib/store/claims";
import { loadReaders } from "#lib/store/presences";
import { reviewedBy } from "./desk-refusal.ts";

/** What a row of a list says of the people around a case. */
export type DeskMark = {
  readonly claim?: { readonly name: string; readonly mine: boolean } | undefined;
  /** Who else has it on their screen, by name. */
  readonly readers: readonly string[];
  readonly notes: number;
};

/** These rows of the reviewer's practices, each with who is at work on it and how many notes it has. */
export async function withDeskMarks<Row extends { readonly taskId: string }>(
  { actor, store }: Context<PersonActor>,
  rows: readonly Row[],
): Promise<readonly (Row & { readonly mark?: DeskMark | undefined })[]> {
  const taskIds = rows.map(({ taskId }) => taskId);
  const asked = { taskIds, practices: reviewedBy(actor), personId: actor.id };
  const [claims, readers, notes] = await Promise.all([
    loadClaims(store, asked),
    loadReaders(store, asked),
    countCaseNotes(store, asked),
  ]);
  const claimOf = new Map(claims.map((claim) => [claim.taskId, claim]));
  const readersOf = Map.groupBy(readers, ({ taskId }) => taskId);
  const marked = new Set([...claimOf.keys(), ...readersOf.keys(), ...notes.keys()]);
  return rows.map((row) => (marked.has(row.taskId) ? { ...row, mark: markOf(row.taskId) } : row));

  function markOf(taskId: string): DeskMark {
    const claim = claimOf.get(taskId);
    return {
      claim: claim && { name: claim.name, mine: claim.personId === actor.id },
      readers: (readersOf.get(taskId) ?? []).map(({ name }) => name),
      notes: notes.get(taskId) ?? 0,
    };
  }
}
