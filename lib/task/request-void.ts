import type { Context } from "#lib/access/context";
import type { ChannelActor } from "#lib/access/model/actor";
import { assert, ok, refuse, type Result } from "#lib/platform/result";
import { changeTask, unchanged, type TaskChange } from "./change.ts";
import { isKnownMessage } from "./known-message.ts";
import { messageOf, webhookRecords, type InboundMessage } from "./inbound-message.ts";
import { refreeze } from "./open-revision.ts";
import type { Refusal } from "./refusal.ts";
import { fullTaskIssues } from "./task-limits.ts";

/**
 * Opens a void gate on a task that the payer has. Nothing reaches the payer until a person releases it. Changes nothing
 * if a copy of the message came first.
 */
export async function requestVoid(
  ctx: Context<ChannelActor>,
  sent: InboundMessage,
): Promise<Result<TaskChange, Refusal>> {
  const { ask } = sent;
  assert(ask.skill === "prior_auth_void", "a void is asked for by its skill");
  const { reason } = ask;
  return changeTask(ctx, { taskId: ask.taskId, practices: ctx.actor.practices }, async ({ tx, row }) => {
    if (await isKnownMessage(tx, ctx.actor, sent)) return ok(unchanged());
    const full = await fullTaskIssues({ tx, row }, sent);
    if (full.length > 0) return refuse({ type: "invalid", issues: full });
    const { prepared } = await refreeze(tx, row, { action: "void", reason });
    assert(prepared, "a void is always complete for its route");
    return ok({
      commands: [{ type: "request-void", reason }],
      prepared,
      detail: { gate: prepared.gate.digest, revision: prepared.gate.revision ?? row.revision },
      records: [{ type: "message", message: messageOf(ctx.actor, sent, row) }, ...webhookRecords(ctx.actor, sent)],
    });
  });
}
