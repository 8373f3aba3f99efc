import type { ShownGate } from "#lib/task/model/lifecycle/command";
import { ok, refuse, type Result } from "#lib/platform/result";
import type { Issue } from "#lib/task/refusal";
import { shortIdOf } from "#lib/task/model/short-id";

/** Most cases that one bulk action takes. */
export const bulkMax = 50;

/** A chosen case, its open gate as the page showed it, and the idempotency key of this decision. */
export type BulkItem = { readonly taskId: string; readonly seen: ShownGate; readonly key?: string | undefined };

/** The outcome of one case; each case is decided independently of the others. */
export type BulkOutcome<Value, Refusal> = {
  readonly taskId: string;
  readonly shortId: string;
  readonly result: Result<Value, Refusal>;
};

export type CountProblem = { readonly type: "invalid"; readonly issues: readonly Issue[] };

/** Applies one action to each case, one after the other, and returns the outcome of each; refuses all when there are too many. */
export async function applyToEach<Item extends { readonly taskId: string }, Value, Refusal>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result<Value, Refusal>>,
): Promise<Result<readonly BulkOutcome<Value, Refusal>[], CountProblem>> {
  const problem = countProblem(items.length);
  if (problem) return problem;
  const outcomes: BulkOutcome<Value, Refusal>[] = [];
  for (const item of items) {
    const { taskId } = item;
    outcomes.push({ taskId, shortId: shortIdOf(taskId), result: await act(item) });
  }
  return ok(outcomes);
}

/** Why a bulk action refuses this number of cases; undefined when it is allowed. */
export function countProblem(count: number) {
  if (count === 0) return refuse({ type: "invalid", issues: [{ path: "items", problem: "must be at least one" }] });
  if (count > bulkMax)
    return refuse({ type: "invalid", issues: [{ path: "items", problem: `must be at most ${bulkMax}` }] });
  return undefined;
}
