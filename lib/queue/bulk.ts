import type { ShownGate } from "#lib/task/model/event";
import { ok, refuse, type Result } from "#lib/platform/result";
import type { Issue } from "#lib/task/refusal";
import { shortIdOf } from "#lib/task/model/short-id";

/** Most cases one act takes at once. */
export const bulkMax = 50;

/** A case among those chosen, its open gate as the page showed it, and the key of this decision of it. */
export type BulkItem = { readonly taskId: string; readonly seen: ShownGate; readonly key?: string | undefined };

/** What became of one of the cases; each is decided by itself, whatever becomes of the others. */
export type BulkOutcome<Value, Refusal> = {
  readonly taskId: string;
  readonly shortId: string;
  readonly result: Result<Value, Refusal>;
};

export type TooMany = { readonly type: "invalid"; readonly issues: readonly Issue[] };

/** Does the same to each case, one after the other, and says of each what became of it. None is taken where they are too many. */
export async function eachOf<Item extends { readonly taskId: string }, Value, Refusal>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result<Value, Refusal>>,
): Promise<Result<readonly BulkOutcome<Value, Refusal>[], TooMany>> {
  const problem = numberProblem(items.length);
  if (problem) return problem;
  const outcomes: BulkOutcome<Value, Refusal>[] = [];
  for (const item of items) {
    const { taskId } = item;
    outcomes.push({ taskId, shortId: shortIdOf(taskId), result: await act(item) });
  }
  return ok(outcomes);
}

/** Why so many cases are not taken; undefined where they are. */
export function numberProblem(count: number) {
  if (count === 0) return refuse({ type: "invalid", issues: [{ path: "items", problem: "must be at least one" }] });
  if (count > bulkMax)
    return refuse({ type: "invalid", issues: [{ path: "items", problem: `must be at most ${bulkMax}` }] });
  return undefined;
}
