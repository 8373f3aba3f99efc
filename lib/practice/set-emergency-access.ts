import { administerProved, type Entry } from "#lib/access/administer";
import type { Context } from "#lib/access/context";
import type { AdminRefusal } from "#lib/access/refusal";
import { requestChange, wantingSecondAdmin, type Awaiting } from "#lib/access/second-admin";
import type { Tx } from "#lib/db/db";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice } from "#lib/practice/shared/practices";
import { updatePractice } from "#lib/practice/store/admin-practices";
import { endEmergencyAccesses } from "#lib/task/shared/end-emergency-accesses";

/**
 * Sets whether the practice's administrators may open a case in an emergency. Turning it off ends open accesses for good.
 * Where a second administrator is wanted, turning it on waits for one, because it lets administrators read what they
 * otherwise may not.
 */
export async function setEmergencyAccess(
  ctx: Context,
  { practiceId, on }: { readonly practiceId: string; readonly on: boolean },
): Promise<Result<Awaiting, AdminRefusal>> {
  return administerProved(ctx, { practiceId }, async (tx) => {
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    if (practice.emergencyAccess === on) return ok({ value: {}, chain: practiceId, entries: [] });
    if (on && (await wantingSecondAdmin(tx, ctx.actor, [practiceId])).length > 0) {
      const change = { kind: "emergency-access-on", practiceId } as const;
      const { id, entry } = await requestChange(tx, ctx.actor, { change, scope: [practiceId] });
      return ok({ value: { awaiting: id }, chain: practiceId, entries: [entry] });
    }
    return ok({ value: {}, chain: practiceId, entries: await putEmergencyAccess(tx, practiceId, on) });
  });
}

/** Lets administrators open a case in an emergency; part of what a second administrator confirms. */
export async function allowEmergencyAccess(
  tx: Tx,
  practiceId: string,
): Promise<Result<readonly Entry[], AdminRefusal>> {
  const practice = await lockPractice(tx, practiceId);
  if (!practice) return refuse({ type: "not-found", what: "practice" });
  return ok(practice.emergencyAccess ? [] : await putEmergencyAccess(tx, practiceId, true));
}

async function putEmergencyAccess(tx: Tx, practiceId: string, on: boolean): Promise<readonly Entry[]> {
  await updatePractice(tx, practiceId, { emergencyAccess: on });
  if (!on) await endEmergencyAccesses(tx, practiceId);
  return [{ act: "practice.emergency-access-set", detail: { from: !on, to: on } }];
}
