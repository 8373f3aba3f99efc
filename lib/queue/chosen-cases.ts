import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, type Result } from "#lib/platform/result";
import { loadReviewers, type Reviewer } from "#lib/queue/store/assignees";
import { loadChosen, type ChosenRow } from "#lib/queue/store/chosen-cases";
import { newId } from "#lib/db/new-id";
import { recordListed } from "#lib/task/shared/readings";
import { countProblem, type CountProblem, previewRelease, type SingleOnlyReason } from "./bulk.ts";
import { reviewedBy } from "#lib/task/desk-refusal";
import { recordDeniedCases } from "#lib/access/record-case-denial";
import { isSnoozable } from "./model/snooze.ts";
import { shortIdOf } from "#lib/task/model/short-id";

export const bulkActs = ["assign", "snooze", "decline", "release"] as const;
export type BulkAct = (typeof bulkActs)[number];

/** Why a chosen case is excluded from a bulk action. */
export type Exclusion =
  | SingleOnlyReason
  | { readonly type: "at-no-gate" }
  | { readonly type: "not-releasable" }
  | { readonly type: "snoozed-already" }
  | { readonly type: "nothing-to-do" };

export type ChosenCase = ChosenRow & {
  readonly shortId: string;
  readonly exclusion?: Exclusion | undefined;
  /** The idempotency key of a decision made from this page. */
  readonly key: string;
};

export type ChosenCases = {
  readonly cases: readonly ChosenCase[];
  /** How many of the requested cases are not, or no longer, the reviewer's. */
  readonly gone: number;
  /** Reviewers that at least one of the cases may be assigned to; only for that action. */
  readonly reviewers: readonly Reviewer[];
};

/**
 * The chosen cases as they are now, each with why the action would exclude it. It changes nothing. The audit log records
 * that the cases were shown, and requests for cases that are not the reviewer's.
 */
export async function chosenCases(
  ctx: Context<PersonActor>,
  { taskIds, act }: { readonly taskIds: readonly string[]; readonly act: BulkAct },
): Promise<Result<ChosenCases, CountProblem>> {
  const requested = [...new Set(taskIds)];
  const problem = countProblem(requested.length);
  if (problem) return problem;
  const { actor, store } = ctx;
  const rows = await loadChosen(store, { taskIds: requested, practices: reviewedBy(actor), personId: actor.id });
  const gone = requested.filter((id) => !rows.some(({ taskId }) => taskId === id));
  await recordDeniedCases(ctx, gone);
  await recordListed(store, {
    actor,
    cases: rows.map(({ taskId, practice }) => ({ taskId, practiceId: practice.id })),
  });
  const cases: ChosenCase[] = [];
  for (const row of rows)
    cases.push({ ...row, shortId: shortIdOf(row.taskId), key: newId(), exclusion: await exclusionOf(ctx, act, row) });
  const reviewers = act === "assign" ? await reviewersOf(ctx, rows) : [];
  return ok({ cases, gone: gone.length, reviewers });
}

async function exclusionOf(ctx: Context<PersonActor>, act: BulkAct, row: ChosenRow): Promise<Exclusion | undefined> {
  if (act === "assign") return undefined;
  if (act === "snooze") {
    if (row.isSnoozed) return { type: "snoozed-already" };
    return isSnoozable(row) ? undefined : { type: "nothing-to-do" };
  }
  if (!row.gate) return { type: "at-no-gate" };
  if (act === "decline") return undefined;
  if (!row.opened) return { type: "not-opened" };
  const { alone, releasable } = await previewRelease(ctx, { taskId: row.taskId, seen: row.gate });
  return alone ?? (releasable ? undefined : { type: "not-releasable" });
}

async function reviewersOf({ store }: Context, rows: readonly ChosenRow[]): Promise<readonly Reviewer[]> {
  const practices = [...new Set(rows.map(({ practice }) => practice.id))];
  const lists = await Promise.all(practices.map((practiceId) => loadReviewers(store, practiceId)));
  const byId = new Map(lists.flat().map((reviewer) => [reviewer.id, reviewer]));
  return [...byId.values()].toSorted((one, other) => one.name.localeCompare(other.name));
}
