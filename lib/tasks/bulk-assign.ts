import type { Context } from "#lib/context";
import type { PersonActor } from "#lib/domain/actor";
import type { Result } from "#lib/domain/result";
import { assignTask, type Assigning } from "./assign-task.ts";
import { eachOf, type BulkOutcome, type TooMany } from "./bulk.ts";
import type { DeskRefusal } from "./desk-refusal.ts";

type Assigned = BulkOutcome<"done" | "nothing", DeskRefusal>;

/** Assigns each of these cases to one reviewer, or to nobody, over the assignment that was shown of it. */
export async function bulkAssign(
  ctx: Context<PersonActor>,
  { items, to }: { readonly items: readonly Omit<Assigning, "to">[]; readonly to: string | undefined },
): Promise<Result<readonly Assigned[], TooMany>> {
  return eachOf(items, (item) => assignTask(ctx, { ...item, to }));
}
