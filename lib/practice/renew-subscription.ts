import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice } from "#lib/practice/store/admin-practices";
import { endSubscriptions } from "#lib/payer/inbox/store/subscriptions";
import { administer } from "#lib/access/administer";
import type { AdminRefusal } from "#lib/access/refusal";

/**
 * Ends what a payer was asked to push for a practice: its secrets open no door
 * from now on. Where the route in force wants pushes, the worker asks the payer
 * anew with a secret of its own.
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
