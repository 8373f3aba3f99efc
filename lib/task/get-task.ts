import type { Context } from "#lib/access/context";
import type { ChannelActor } from "#lib/access/model/actor";
import { missingPermission } from "#lib/channel/model/authority";
import { ok, refuse, type Result } from "#lib/platform/result";
import type { Refusal } from "./refusal.ts";
import { lookUpTask, type TaskLookup } from "./look-up-task.ts";
import { taskRecord } from "./task-record.ts";
import type { TaskRecord } from "./views.ts";

export type GetTask = TaskLookup & { readonly historyLength: number };

/**
 * One task a channel reaches. Without the atom, or for a task of a practice it
 * does not reach, `not-authorised`; for an id nobody has, `not-found`.
 */
export async function getTask(
  ctx: Context<ChannelActor>,
  { historyLength, ...sought }: GetTask,
): Promise<Result<TaskRecord, Refusal>> {
  const { exists, row, history } = await lookUpTask(ctx, sought);
  if (missingPermission(ctx.actor, { atom: "tasks_get" })) return refuse({ type: "not-authorised" });
  if (!row) return refuse({ type: exists ? "not-authorised" : "not-found" });
  return ok(await taskRecord(ctx.store, row, { historyLength, history }));
}
