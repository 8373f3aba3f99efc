import type { Context } from "#lib/context";
import type { PersonActor } from "#lib/domain/actor";
import type { Result } from "#lib/domain/result";
import { eachOf, type BulkItem, type BulkOutcome, type TooMany } from "./bulk.ts";
import type { Decided } from "./decide-once.ts";
import { declineGate, type Decline } from "./decline-gate.ts";
import type { Refusal } from "./refusal.ts";

/** Declines each of these gates as it was shown, with one reason that every one of their agents reads. */
export async function bulkDecline(
  ctx: Context<PersonActor>,
  { items, ...why }: { readonly items: readonly BulkItem[] } & Pick<Decline, "code" | "reason">,
): Promise<Result<readonly BulkOutcome<Decided, Refusal>[], TooMany>> {
  return eachOf(items, (item) => declineGate(ctx, { ...item, ...why }));
}
