import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { findReceipt } from "#lib/gate/store/decision-receipts";
import { recordReading } from "#lib/task/shared/readings";
import { practicesOf } from "#lib/task/change";
import { recordCaseDenial } from "#lib/access/record-case-denial";
import type { Refusal } from "#lib/task/refusal";

/** The receipt does not open: it was changed where it is kept, or a later release wrote it. */
export type UnopenedReceipt = { readonly type: "unopened-receipt"; readonly sequence: number };

/**
 * A decision's receipt exactly as issued, for a reviewer of its practice; anyone else gets `not-found`. The reading is
 * put in the audit log first; if that fails, this throws.
 */
export async function readReceipt(
  ctx: Context<PersonActor>,
  { taskId, receiptId }: { taskId: string; receiptId: string },
): Promise<Result<{ readonly sequence: number; readonly text: string }, Refusal | UnopenedReceipt>> {
  const { actor, store } = ctx;
  const practices = practicesOf(ctx);
  const found = practices === "every" ? undefined : await findReceipt(store, { taskId, receiptId, practices });
  if (!found) {
    await recordCaseDenial(ctx, taskId);
    return refuse({ type: "not-found" });
  }
  const { practiceId, sequence, text } = found;
  if (text === undefined) return refuse({ type: "unopened-receipt", sequence });
  const reading = { part: `receipt:${receiptId}`, act: "case.receipt-opened", detail: { receipt: receiptId } } as const;
  await recordReading(store, { actor, taskId, practiceId, ...reading });
  return ok({ sequence, text });
}
