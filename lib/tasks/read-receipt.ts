import type { Context } from "#lib/context";
import type { PersonActor } from "#lib/domain/actor";
import { ok, refuse, type Result } from "#lib/domain/result";
import { findReceipt } from "#lib/store/decision-receipts";
import { practicesOf } from "./change.ts";
import type { Refusal } from "./refusal.ts";

/** A decision's receipt exactly as it was issued, for a reviewer of its practice; anyone else finds nothing. */
export async function readReceipt(
  ctx: Context<PersonActor>,
  { taskId, receiptId }: { taskId: string; receiptId: string },
): Promise<Result<{ readonly sequence: number; readonly text: string }, Refusal>> {
  const practices = practicesOf(ctx);
  const found = practices === "every" ? undefined : await findReceipt(ctx.store, { taskId, receiptId, practices });
  return found ? ok(found) : refuse({ type: "not-found" });
}
