import type { Context } from "#lib/context";
import type { ChannelActor } from "#lib/domain/actor";
import { assert, ok, type Result } from "#lib/domain/result";
import { loadWay } from "#lib/store/destinations";
import { insertMessage } from "#lib/store/messages";
import { changeTask, type Changed } from "./change.ts";
import { freezeGate, missingFor } from "./freeze-gate.ts";
import type { Sent } from "./messages.ts";
import { loadSent } from "./open-revision.ts";
import { queueFacts } from "./open-task.ts";
import type { Refusal } from "./refusal.ts";

/** Replaces the service review by a new revision; an open gate and its votes are superseded by a new one. */
export async function amendTask(ctx: Context<ChannelActor>, sent: Sent): Promise<Result<Changed, Refusal>> {
  const { ask, taskId, messageId, contentDigest, body } = sent;
  assert(ask.skill === "prior_auth_intake" && taskId !== undefined, "an amendment names its task");
  const { review, reviewBytes, revisionDigest } = ask;
  return changeTask(ctx, { taskId, practices: ctx.actor.practices }, async ({ tx, row }) => {
    const way = await loadWay(tx, row.practice_id, review.payer.id);
    assert(way, "a task's practice exists");
    const missing = missingFor(way, review);
    const revision = row.revision + 1;
    const reference = row.reference ?? undefined;
    const opened =
      missing.length === 0
        ? freezeGate({
            taskId: row.id,
            action: "transmit",
            update: row.holds === "yes",
            revision,
            review,
            way,
            now: row.now,
            sent: await loadSent({ tx, store: ctx.store }, row),
            payerReference: reference,
          })
        : undefined;
    const { procedureCodes, patient, urgent } = queueFacts(review);
    return ok({
      events: [{ type: "amended", missing, gate: opened?.gate }],
      act: "task.amended",
      detail: { revision, digest: revisionDigest, gate: opened?.gate.digest ?? null },
      frozen: opened ? [opened.frozen] : [],
      writes: {
        revision: { digest: revisionDigest, bytes: reviewBytes, procedureCodes, payerId: review.payer.id, urgent },
        patient,
      },
      alongside: (loaded) =>
        insertMessage(loaded.tx, ctx.store.sealer, {
          taskId: row.id,
          practiceId: row.practice_id,
          channelId: ctx.actor.id,
          messageId,
          contentDigest,
          revision,
          body,
          at: row.now,
        }),
    });
  });
}
