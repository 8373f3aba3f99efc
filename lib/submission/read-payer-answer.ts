import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { findPayerAnswer } from "#lib/submission/store/payer-answers";
import { recordReading } from "#lib/task/shared/readings";
import { reviewedBy } from "#lib/task/desk-refusal";
import { recordCaseDenial } from "#lib/access/record-case-denial";
import type { Refusal } from "#lib/task/refusal";

/**
 * What a payer sent about a case, byte for byte, for a reviewer of its practice; anyone else gets `not-found`. The
 * reading is put in the audit log first; if that fails, this throws.
 */
export async function readPayerAnswer(
  ctx: Context<PersonActor>,
  { taskId, answerId }: { taskId: string; answerId: string },
): Promise<Result<Uint8Array, Refusal>> {
  const { actor, store } = ctx;
  const found = await findPayerAnswer(store, { taskId, answerId, practices: reviewedBy(actor) });
  if (!found) {
    await recordCaseDenial(ctx, taskId);
    return refuse({ type: "not-found" });
  }
  const { practiceId, bytes } = found;
  const reading = { part: `answer:${answerId}`, act: "case.answer-opened", detail: { answer: answerId } } as const;
  await recordReading(store, { actor, taskId, practiceId, ...reading });
  return ok(bytes);
}
