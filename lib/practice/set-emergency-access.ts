import { administerProved } from "#lib/access/administer";
import type { Context } from "#lib/access/context";
import type { AdminRefusal } from "#lib/access/refusal";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice } from "#lib/practice/shared/practices";
import { updatePractice } from "#lib/practice/store/admin-practices";

/** Sets whether the practice's administrators may open a case in an emergency. Turning it off ends open accesses, too. */
export async function setEmergencyAccess(
  ctx: Context,
  { practiceId, on }: { readonly practiceId: string; readonly on: boolean },
): Promise<Result<undefined, AdminRefusal>> {
  return administerProved(ctx, { practiceId }, async (tx) => {
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    if (practice.emergencyAccess === on) return ok({ value: undefined, chain: practiceId, entries: [] });
    await updatePractice(tx, practiceId, { emergencyAccess: on });
    const entry = { act: "practice.emergency-access-set", detail: { from: !on, to: on } } as const;
    return ok({ value: undefined, chain: practiceId, entries: [entry] });
  });
}
