import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { announce } from "#lib/db/announce";
import { appendAudit } from "#lib/audit/store/audit";
import { loadClaims, takeClaim } from "#lib/queue/store/claims";
import { inTransaction } from "#lib/db/db";
import { reviewedBy, type DeskRefusal } from "#lib/task/desk-refusal";

/**
 * Says that this reviewer takes the case up. A claim runs out by itself and
 * stops nobody from deciding. What somebody else has is taken only by naming
 * whom it is taken over from; of any number at once one has it, and the others
 * learn who.
 */
export async function claimTask(
  { actor, store }: Context<PersonActor>,
  { taskId, from }: { readonly taskId: string; readonly from?: string | undefined },
): Promise<Result<{ until: Date }, DeskRefusal>> {
  const asking = { taskId, practices: reviewedBy(actor), personId: actor.id };
  const claimed = await inTransaction(store, async (tx) => {
    const taken = await takeClaim(tx, { ...asking, from });
    if (taken) {
      const { practiceId: chain, until, takenFrom } = taken;
      const act = takenFrom === undefined ? "case.claimed" : "case.claim-taken-over";
      const detail = { until: until.toISOString(), ...(takenFrom === undefined ? {} : { from: takenFrom }) };
      await appendAudit(tx, { chain, actor, act, taskId, detail });
      return ok({ until, toldTo: chain });
    }
    const [claim] = await loadClaims(tx, { taskIds: [taskId], practices: asking.practices });
    if (!claim) return refuse({ type: "not-found" });
    const { personId, name: by, until } = claim;
    return personId === actor.id ? ok({ until, toldTo: undefined }) : refuse({ type: "claimed", by, until });
  });
  if (claimed.ok && claimed.value.toldTo !== undefined) announce(store, "desk", claimed.value.toldTo);
  return claimed.ok ? ok({ until: claimed.value.until }) : claimed;
}
