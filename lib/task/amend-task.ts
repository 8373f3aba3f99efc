import type { Context } from "#lib/access/context";
import type { ChannelActor } from "#lib/access/model/actor";
import { assert, ok, refuse, type Result } from "#lib/platform/result";
import { revisionDigest } from "#lib/payer/digest";
import { keepFiles, listFiles, openAttachments, type RevisionFiles } from "#lib/task/store/attachments";
import { resolveRoute } from "#lib/practice/store/resolved-route";
import { insertMessage } from "#lib/task/store/messages";
import { changeTask, type TaskChange, type LoadedTask } from "./change.ts";
import { freezeGate, missingFor } from "#lib/gate/freeze-gate";
import { isKnownMessage } from "./known-message.ts";
import type { InboundMessage } from "./inbound-message.ts";
import { loadPriorSubmissions } from "./open-revision.ts";
import { queueFacts } from "./queue-facts.ts";
import type { Refusal } from "./refusal.ts";
import { filesOfNext } from "./revision-files.ts";
import { fullTaskIssues } from "./task-limits.ts";

/**
 * Replaces the service review by a new revision; an open gate and its votes are superseded by a new one. Nothing
 * changes where the message's twin came first.
 */
export async function amendTask(
  ctx: Context<ChannelActor>,
  sent: InboundMessage,
): Promise<Result<TaskChange, Refusal>> {
  const { ask, taskId } = sent;
  assert(ask.skill === "prior_auth_intake" && taskId !== undefined, "an amendment names its task");
  const { review, reviewBytes, files: received } = ask;
  return changeTask(ctx, { taskId, practices: ctx.actor.practices }, async ({ tx, store, row, task }) => {
    if (await isKnownMessage(tx, ctx.actor, sent)) return ok("nothing");
    const full = await fullTaskIssues({ tx, row }, sent);
    if (full.length > 0) return refuse({ type: "invalid", issues: full });
    const way = await resolveRoute(tx, row.practice_id, review.payer.id);
    assert(way, "a task's practice exists");
    const files = await filesOfNext({ tx, store }, row, sent, ask);
    if (!files.ok) return files;
    const list = files.value;
    const digests = list.map(({ sha256 }) => sha256);
    const digest = revisionDigest(reviewBytes, digests);
    const place = { taskId: row.id, practiceId: row.practice_id, revision: row.revision + 1 };
    const missing = missingFor(way, review);
    const opened =
      missing.length === 0
        ? freezeGate({
            taskId: row.id,
            action: "transmit",
            update: row.holds === "yes",
            revision: place.revision,
            review,
            way,
            now: row.now,
            sent: await loadPriorSubmissions({ tx, store }, row),
            payerReference: row.reference ?? undefined,
            wants: task.payer.wants,
            attachments: await openAttachments(tx, store.sealer, { ...place, list, received }),
          })
        : undefined;
    const { procedureCodes, patient, memberId, urgent } = queueFacts(review);
    return ok({
      events: [{ type: "amended", missing, gate: opened?.gate }],
      act: "task.amended",
      detail: { key: ctx.actor.keyId, revision: place.revision, digest, gate: opened?.gate.digest ?? null },
      frozen: opened ? [opened.frozen] : [],
      writes: {
        revision: {
          digest,
          bytes: reviewBytes,
          procedureCodes,
          payerId: review.payer.id,
          urgent,
          attachmentCount: list.length,
        },
        patient,
        memberId,
      },
      alongside: (loaded) =>
        keep(loaded, sent, { ...place, received, list: digests, at: row.now, channelId: ctx.actor.id }),
    });
  });
}

/** Keeps the message and its files with the revision they made. False where the message's twin came first. */
async function keep(
  { tx, store }: LoadedTask,
  sent: InboundMessage,
  files: RevisionFiles & { channelId: string },
): Promise<boolean> {
  const { messageId, contentDigest, body } = sent;
  const { taskId, practiceId, revision, at, channelId } = files;
  const message = { taskId, practiceId, channelId, messageId, contentDigest, revision, body, at };
  if (!(await insertMessage(tx, store.sealer, message))) return false;
  await keepFiles(tx, store.sealer, files);
  await listFiles(tx, files);
  return true;
}
