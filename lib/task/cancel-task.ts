import type { Context } from "#lib/access/context";
import type { ChannelActor } from "#lib/access/model/actor";
import { missingPermission } from "#lib/channel/model/authority";
import { assert, ok, refuse, type Result } from "#lib/platform/result";
import { changeTask } from "./change.ts";
import type { Refusal } from "./refusal.ts";
import { lookUpTask, type TaskLookup } from "./look-up-task.ts";
import { taskRecord } from "./task-record.ts";
import type { TaskRecord } from "./views.ts";

/**
 * Withdraws a task that the payer does not have. Against a release, the first commit wins. A withdrawn task is returned
 * unchanged.
 */
export async function cancelTask(
  ctx: Context<ChannelActor>,
  { taskId, prefetched }: TaskLookup,
): Promise<Result<TaskRecord, Refusal>> {
  const { actor, store } = ctx;
  const { exists, row } = await lookUpTask(ctx, { taskId, prefetched });
  if (missingPermission(actor, { atom: "tasks_cancel" })) return refuse({ type: "not-authorised" });
  if (!row) return refuse({ type: exists ? "not-authorised" : "not-found" });
  const changed = await changeTask(ctx, { taskId, practices: actor.practices }, async () =>
    ok({ commands: [{ type: "withdraw" }] }),
  );
  if (changed.ok) {
    assert(changed.value.after, "a channel's change is read again");
    return ok(await taskRecord(store, changed.value.after));
  }
  // Tasks are never deleted, so a task that is no longer found is out of the channel's reach now.
  return changed.refusal.type === "not-found" ? refuse({ type: "not-authorised" }) : changed;
}
