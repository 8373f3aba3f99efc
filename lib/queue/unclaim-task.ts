import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, type Result } from "#lib/platform/result";
import { announce } from "#lib/db/announce";
import { appendAudit } from "#lib/audit/store/audit";
import { dropClaim } from "#lib/queue/store/claims";
import { inTransaction } from "#lib/db/db";
import { reviewedBy, type DeskRefusal } from "#lib/task/desk-refusal";

/** Releases this reviewer's own claim. Does nothing when the claim has expired or was taken over. */
export async function unclaimTask(
  { actor, store }: Context<PersonActor>,
  { taskId }: { readonly taskId: string },
): Promise<Result<"done" | "nothing", DeskRefusal>> {
  const practiceId = await inTransaction(store, async (tx) => {
    const dropped = await dropClaim(tx, { taskId, practices: reviewedBy(actor), personId: actor.id });
    if (!dropped) return undefined;
    await appendAudit(tx, { chain: dropped.practiceId, actor, act: "case.claim-given-up", taskId, detail: {} });
    return dropped.practiceId;
  });
  if (practiceId === undefined) return ok("nothing");
  announce(store, "desk", practiceId);
  return ok("done");
}
