import type { Context } from "#lib/access/context";
import type { ChannelActor } from "#lib/access/model/actor";
import { assert, ok, refuse, type Result } from "#lib/platform/result";
import { revisionDigest } from "#lib/payer/digest";
import type { Db, Tx } from "#lib/db/db";
import { isRenewal } from "#lib/task/model/renewal";
import { type ServiceReview, queueFacts } from "./model/service-review.ts";
import { openAttachments } from "#lib/task/store/attachments";
import type { ResolvedRoute } from "#lib/practice/shared/resolved-route";
import { loadRevision } from "#lib/task/store/load-task";
import type { TaskRow } from "#lib/task/store/task-rows";
import { messageProblems } from "#lib/messages/problems/agent";
import { changeTask, unchanged, type TaskChange } from "./change.ts";
import { freezeGate, missingFor } from "#lib/gate/freeze-gate";
import { isKnownMessage } from "./known-message.ts";
import { messageOf, webhookRecords, type InboundMessage } from "./inbound-message.ts";
import { nextRevisionContext } from "./next-revision-context.ts";
import { routeOfTask } from "./open-revision.ts";
import { unlistedPayer } from "./advice.ts";
import type { Issue, Refusal } from "./refusal.ts";
import { filesOfNext } from "./revision-files.ts";
import { fullTaskIssues } from "./task-limits.ts";

/**
 * Replaces the service review with a new revision. An open gate and its votes are replaced by a new gate. Changes
 * nothing if a copy of the message came first.
 */
export async function amendTask(
  ctx: Context<ChannelActor>,
  sent: InboundMessage,
): Promise<Result<TaskChange, Refusal>> {
  const { ask, taskId } = sent;
  assert(ask.skill === "prior_auth_intake" && taskId !== undefined, "an amendment names its task");
  const { review, reviewBytes, files: received } = ask;
  return changeTask(ctx, { taskId, practices: ctx.actor.practices }, async ({ tx, row, task }) => {
    if (await isKnownMessage(tx, ctx.actor, sent)) return ok(unchanged());
    const full = await fullTaskIssues({ tx, row }, sent);
    if (full.length > 0) return refuse({ type: "invalid", issues: full });
    const route = await routeOfTask(tx, row, review);
    const issues = await contentIssues(tx, { row, route }, sent, review);
    if (issues.length > 0) return refuse({ type: "invalid", issues });
    const files = await filesOfNext(tx, row, sent, ask);
    if (!files.ok) return files;
    const list = files.value;
    const digests = list.map(({ sha256 }) => sha256);
    const digest = revisionDigest(reviewBytes, digests);
    const place = { taskId: row.id, practiceId: row.practice_id, revision: row.revision + 1 };
    const missing = missingFor(route, review);
    const prepared =
      missing.length === 0
        ? freezeGate({
            ...(await nextRevisionContext({ tx, row, task })),
            review,
            route,
            attachments: await openAttachments(tx, { ...place, list, received }),
          })
        : undefined;
    const { procedureCodes, patient, memberId, urgent } = queueFacts(review);
    const kept = { digest, bytes: reviewBytes, payerId: review.payer.id, connection: route.connection };
    return ok({
      commands: [{ type: "amend", ...(review.appeal ? { appeal: true } : {}) }],
      prepared,
      missing,
      detail: { key: ctx.actor.keyId, revision: place.revision, digest, gate: prepared?.gate.digest ?? null },
      writes: {
        revision: { ...kept, procedureCodes, urgent, attachmentCount: list.length },
        patient,
        memberId,
      },
      records: [
        { type: "message", message: messageOf(ctx.actor, sent, row, place.revision) },
        { type: "files", files: { ...place, received, list: digests, at: row.now } },
        ...webhookRecords(ctx.actor, sent),
      ],
    });
  });
}

/** What this task cannot become: a renewal of itself, or a request to a payer that the practice does not know. */
async function contentIssues(
  tx: Tx,
  { row, route }: { readonly row: TaskRow; readonly route: ResolvedRoute },
  sent: InboundMessage,
  review: ServiceReview,
): Promise<readonly Issue[]> {
  const renewal = await renewalIssues(tx, row, sent, review);
  // What the case is about already is not asked about again.
  if (renewal.length > 0 || review.payer.id === row.payer_id) return renewal;
  const unlisted = unlistedPayer(route, { review, dataPath: sent.dataPath });
  return unlisted ? [unlisted] : [];
}

/** What the payer has is not made a renewal or an extension of itself: that is a request of its own. */
async function renewalIssues(
  db: Db,
  { id: taskId, practice_id: practiceId, revision: number, payer_receipt: payerReceipt }: TaskRow,
  { dataPath }: InboundMessage,
  review: ServiceReview,
): Promise<readonly Issue[]> {
  if (payerReceipt === "no" || !isRenewal(review)) return [];
  const before = await loadRevision(db, { taskId, practiceId, number });
  if (isRenewal(before.review)) return [];
  const problem = messageProblems.appealIsNewTask;
  return [{ path: `${dataPath}/serviceReview/certificationTypeCode`, problem }];
}
