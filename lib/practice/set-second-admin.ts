import { administerProved, type Entry } from "#lib/access/administer";
import type { Context } from "#lib/access/context";
import type { AdminRefusal } from "#lib/access/refusal";
import { requestChange, wantingSecondAdmin, type Awaiting } from "#lib/access/second-admin";
import type { Tx } from "#lib/db/db";
import { countAdmins } from "#lib/person/shared/admins";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice } from "#lib/practice/shared/practices";
import { updatePractice } from "#lib/practice/store/admin-practices";
import { practiceProblems } from "#lib/messages/problems/admin";

/**
 * Sets whether a second administrator confirms what widens access to the practice: a channel that is to reach it, the
 * role of an administrator, fewer people to release. Turning it off widens access too, and waits for one. Refuses to turn
 * it on where fewer than two administrators of the practice can sign in.
 */
export async function setSecondAdmin(
  ctx: Context,
  { practiceId, on }: { readonly practiceId: string; readonly on: boolean },
): Promise<Result<Awaiting, AdminRefusal>> {
  return administerProved(ctx, { practiceId }, async (tx) => {
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    if (practice.secondAdmin === on) return ok({ value: {}, chain: practiceId, entries: [] });
    if (on && (await countAdmins(tx, practiceId)) < 2)
      return refuse({ type: "invalid", issues: [{ field: "secondAdmin", problem: tooFewAdmins }] });
    if (!on && (await wantingSecondAdmin(tx, ctx.actor, [practiceId])).length > 0) {
      const change = { kind: "second-admin-off", practiceId } as const;
      const { id, entry } = await requestChange(tx, ctx.actor, { change, scope: [practiceId] });
      return ok({ value: { awaiting: id }, chain: practiceId, entries: [entry] });
    }
    return ok({ value: {}, chain: practiceId, entries: await putSecondAdmin(tx, practiceId, on) });
  });
}

const tooFewAdmins = practiceProblems.twoAdministrators;

/** Stops asking for a second administrator; part of what one confirms. */
export async function endSecondAdmin(tx: Tx, practiceId: string): Promise<Result<readonly Entry[], AdminRefusal>> {
  const practice = await lockPractice(tx, practiceId);
  if (!practice) return refuse({ type: "not-found", what: "practice" });
  return ok(practice.secondAdmin ? await putSecondAdmin(tx, practiceId, false) : []);
}

async function putSecondAdmin(tx: Tx, practiceId: string, on: boolean): Promise<readonly Entry[]> {
  await updatePractice(tx, practiceId, { secondAdmin: on });
  return [{ act: "practice.second-admin-set", detail: { from: !on, to: on } }];
}
