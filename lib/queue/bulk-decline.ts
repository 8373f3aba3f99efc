import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { Result } from "#lib/platform/result";
import { applyToEach, type BulkItem, type BulkOutcome, type CountProblem } from "./bulk.ts";
import type { DecisionResult } from "#lib/gate/decide-once";
import { declineGate, type Decline } from "#lib/gate/decline-gate";
import type { Refusal } from "#lib/task/refusal";

/** Declines each of these gates as it was shown, with one reason for the agents of all of them. */
export async function bulkDecline(
  ctx: Context<PersonActor>,
  { items, ...why }: { readonly items: readonly BulkItem[] } & Pick<Decline, "code" | "reason">,
): Promise<Result<readonly BulkOutcome<DecisionResult, Refusal>[], CountProblem>> {
  return applyToEach(items, (item) => declineGate(ctx, { ...item, ...why }));
}
