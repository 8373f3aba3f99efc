import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { announce } from "#lib/db/announce";
import { appendAudit } from "#lib/audit/store/audit";
import { loadClaims, takeClaim } from "#lib/queue/store/claims";
import { inTransaction } from "#lib/db/db";
import { reviewedBy, type DeskRefusal } from "#lib/task/desk-refusal";

/**
 * Claims a case for this reviewer. A claim expires by itself and never prevents others from deciding. The claim of another
 * reviewer is taken over only by naming that reviewer in `from`. Of several claims at once one succeeds, and the others are
 * refused with the name of its holder.
 */
export async function claimTask(
  { actor, store }: Context<PersonActor>,
  { taskId, from }: { readonly taskId: string; readonly from?: string | undefined },
): Promise<Result<{ until: Date }, DeskRefusal>> {
  const request = { taskId, practices: reviewedBy(actor), personId: actor.id };
  const claimed = await inTransaction(store, async (tx) => {
    const taken = await takeClaim(tx, { ...request, from });
    if (taken) {
      const { practiceId: chain, until, takenFrom } = taken;
      const act = takenFrom === undefined ? "case.claimed" : "case.claim-taken-over";
      const detail = { until: until.toISOString(), ...(takenFrom === undefined ? {} : { from: takenFrom }) };
      await appendAudit(tx, { chain, actor, act, taskId, detail });
      return ok({ until, changedIn: chain });
    }
    const [claim] = await loadClaims(tx, { taskIds: [taskId], practices: request.practices });
    if (!claim) return refuse({ type: "not-found" });
    const { personId, name: by, until } = claim;
    return personId === actor.id ? ok({ until, changedIn: undefined }) : refuse({ type: "claimed", by, until });
  });
  if (claimed.ok && claimed.value.changedIn !== undefined) announce(store, "desk", claimed.value.changedIn);
  return claimed.ok ? ok({ until: claimed.value.until }) : claimed;
}
