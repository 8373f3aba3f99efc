import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice } from "#lib/practice/shared/practices";
import { endSubscriptions } from "#lib/payer/inbox/shared/subscriptions";
import { administer } from "#lib/access/administer";
import type { AdminRefusal } from "#lib/access/refusal";

/**
 * Ends a practice's subscriptions with a payer: their secrets are no longer accepted. Where the active payer connection
 * subscribes, the worker creates a new subscription with a new secret.
 */
export async function renewSubscription(
  ctx: Context,
  { practiceId, payerId }: { practiceId: string; payerId: string },
): Promise<Result<{ ended: number }, AdminRefusal>> {
  return administer(ctx, { practiceId }, async (tx) => {
    if (!(await lockPractice(tx, practiceId))) return refuse({ type: "not-found", what: "practice" });
    const ended = await endSubscriptions(tx, { practiceId, payerId });
    const detail = { payer: payerId, ended };
    return ok({ value: { ended }, chain: practiceId, entries: [{ act: "route.subscription-ended", detail }] });
  });
}
