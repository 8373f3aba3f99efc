import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { Result } from "#lib/platform/result";
import { assignTask, type Assignment } from "./assign-task.ts";
import { applyToEach, type BulkOutcome, type CountProblem } from "./bulk.ts";
import type { DeskRefusal } from "#lib/task/desk-refusal";

type AssignOutcome = BulkOutcome<"done" | "nothing", DeskRefusal>;

/** Assigns each of these cases to one reviewer, or unassigns it, unless its assignee is no longer the one shown. */
export async function bulkAssign(
  ctx: Context<PersonActor>,
  { items, to }: { readonly items: readonly Omit<Assignment, "to">[]; readonly to: string | undefined },
): Promise<Result<readonly AssignOutcome[], CountProblem>> {
  return applyToEach(items, (item) => assignTask(ctx, { ...item, to }));
}
