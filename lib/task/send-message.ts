import { hash } from "node:crypto";
import type { Digest } from "#lib/task/model/task";
import type { Context } from "#lib/access/context";
import type { ChannelActor } from "#lib/access/model/actor";
import { missingPermission } from "#lib/channel/model/authority";
import { assert, ok, refuse, type Result } from "#lib/platform/result";
import type { PrefetchResult } from "#lib/channel/store/admission";
import { findMessage } from "#lib/task/store/messages";
import { findTask, loadTask } from "#lib/task/store/load-task";
import type { RecordRow } from "#lib/task/store/task-rows";
import { readWebhook } from "#lib/channel/webhook/requested-webhook";
import { messageProblems } from "#lib/messages/problems/agent";
import { amendTask } from "./amend-task.ts";
import { requestVoid } from "./request-void.ts";
import type { InboundMessage } from "./inbound-message.ts";
import { openTask } from "./open-task.ts";
import type { Refusal } from "./refusal.ts";
import { taskRecord } from "./task-record.ts";
import type { TaskRecord } from "./views.ts";

/** A channel's call, with what was read together with its credential. */
type Asking = Context<ChannelActor> & { readonly prefetched?: PrefetchResult | undefined };

/**
 * Opens a task or continues one. The same message id with the same content is the same message for the life of the
 * task: it returns the task as it is now and does nothing twice. Refused as `not-authorised` without the skill's
 * permission or the practice.
 */
export async function sendMessage(ctx: Asking, sent: InboundMessage): Promise<Result<TaskRecord, Refusal>> {
  const { actor, store } = ctx;
  const { skill, practiceId } = sent.ask;
  const { taskId } = sent;
  // Read before permission and practice are checked, so that the time of a denial does not reveal its cause.
  const found = taskId === undefined ? undefined : await findTask(store, { taskId, practices: actor.practices });
  if (missingPermission(actor, { atom: skill, practiceId })) return refuse({ type: "not-authorised" });
  if (found && !found.row) return refuse({ type: found.exists ? "not-authorised" : "not-found" });
  const allowed = sent.pushConfig === undefined ? ok(sent) : await withWebhook(ctx, sent);
  if (!found && allowed.ok) {
    const opened = await openTask(ctx, allowed.value);
    if (opened !== "taken") return opened;
  }
  // A message that was accepted is known, whatever has come of its webhook since.
  const done = await (found?.row && allowed.ok ? proceed(ctx, allowed.value, found.row) : replay(ctx, sent));
  if (!done.ok) return !allowed.ok && done.refusal.type === "not-found" ? allowed : done;
  const { historyLength, ask } = sent;
  const isAdvised = ask.skill === "prior_auth_intake";
  return ok(await taskRecord(store, done.value, { historyLength, isAdvised, reader: actor }));
}

/** The message with the webhook that it names, where that is allowed. */
async function withWebhook(ctx: Context<ChannelActor>, sent: InboundMessage): Promise<Result<InboundMessage, Refusal>> {
  const webhook = await readWebhook(ctx, sent.pushConfig);
  return webhook.ok ? ok({ ...sent, webhook: webhook.value }) : refuse({ type: "invalid", issues: webhook.refusal });
}

async function proceed(
  ctx: Context<ChannelActor>,
  sent: InboundMessage,
  row: RecordRow,
): Promise<Result<RecordRow, Refusal>> {
  const misnamed = misnamedIssues(sent, row);
  if (misnamed.length > 0) return refuse({ type: "invalid", issues: misnamed });
  const earlier = await replay(ctx, sent);
  if (earlier.ok || earlier.refusal.type !== "not-found") return earlier;
  const changed = sent.ask.skill === "prior_auth_void" ? await requestVoid(ctx, sent) : await amendTask(ctx, sent);
  if (!changed.ok) return changed;
  const { events, after } = changed.value;
  // A copy of the message came first where nothing happened.
  if (events.length === 0) return replay(ctx, sent);
  assert(after, "a channel's change is read again");
  return ok(after);
}

function misnamedIssues({ ask, contextId, dataPath }: InboundMessage, row: RecordRow) {
  const practice = ask.practiceId !== row.practice_id;
  const context = contextId !== undefined && contextId !== row.context_id;
  return [
    ...(practice ? [{ path: `${dataPath}/practiceId`, problem: messageProblems.otherPractice }] : []),
    ...(context ? [{ path: "/message/contextId", problem: messageProblems.otherContext }] : []),
  ];
}

/** Older messages have a digest of all their bytes, including metadata and context. */
function isSame({ contentDigest, body }: InboundMessage, digest: Digest): boolean {
  return digest === contentDigest || digest === hash("sha256", body);
}

/** The task that an earlier acceptance of this message opened or continued. `not-found` if there was none. */
async function replay(
  { actor, store }: Context<ChannelActor>,
  sent: InboundMessage,
): Promise<Result<RecordRow, Refusal>> {
  if (sent.messageId === undefined) return refuse({ type: "not-found" });
  const earlier = await findMessage(store, { channelId: actor.id, messageId: sent.messageId });
  if (!earlier) return refuse({ type: "not-found" });
  if (!isSame(sent, earlier.contentDigest)) {
    const problem = messageProblems.messageIdUsed;
    return refuse({ type: "invalid", issues: [{ path: "/message/messageId", problem }] });
  }
  const row = await loadTask(store, { taskId: earlier.taskId, practices: actor.practices });
  return row ? ok(row) : refuse({ type: "not-authorised" });
}
