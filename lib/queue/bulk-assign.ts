import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { Result } from "#lib/platform/result";
import { assignTask, type Assignment } from "./assign-task.ts";
import { eachOf, type BulkOutcome, type TooMany } from "./bulk.ts";
import type { DeskRefusal } from "#lib/task/desk-refusal";

type Assigned = BulkOutcome<"done" | "nothing", DeskRefusal>;

/** Assigns each of these cases to one reviewer, or to nobody, over the assignment that was shown of it. */
export async function bulkAssign(
  ctx: Context<PersonActor>,
  { items, to }: { readonly items: readonly Omit<Assignment, "to">[]; readonly to: string | undefined },
): Promise<Result<readonly Assigned[], TooMany>> {
  return eachOf(items, (item) => assignTask(ctx, { ...item, to }));
}
