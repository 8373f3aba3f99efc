import type { Context } from "#lib/context";
import type { PersonActor } from "#lib/domain/actor";
import type { Result } from "#lib/domain/result";
import { eachOf, type BulkItem, type BulkOutcome, type TooMany } from "./bulk.ts";
import type { Decided } from "./decide-once.ts";
import { declineGate } from "./decline-gate.ts";
import type { Refusal } from "./refusal.ts";

/** Declines each of these gates as it was shown, with one reason that every one of their agents reads. */
export async function bulkDecline(
  ctx: Context<PersonActor>,
  { items, reason }: { readonly items: readonly BulkItem[]; readonly reason: string },
): Promise<Result<readonly BulkOutcome<Decided, Refusal>[], TooMany>> {
  return eachOf(items, (item) => declineGate(ctx, { ...item, reason }));
}
