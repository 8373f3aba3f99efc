import type { Context } from "#lib/context";
import type { ChannelActor } from "#lib/domain/actor";
import { ok, refuse, type Result } from "#lib/domain/result";
import type { Prefetched } from "#lib/store/admission";
import { loadTask, taskExists } from "#lib/store/load-task";
import type { Refusal } from "./refusal.ts";
import { taskRecord } from "./task-record.ts";
import type { TaskRecord } from "./views.ts";

export type GetTask = {
  readonly taskId: string;
  readonly historyLength: number;
  /** What was read along with the credential, a moment ago. */
  readonly prefetched?: Prefetched | undefined;
};

/**
 * One task a channel reaches. Without the atom, or for a task of a practice it
 * does not reach, `not-authorised`; for an id nobody has, `not-found`.
 */
export async function getTask(
  ctx: Context<ChannelActor>,
  { taskId, historyLength, prefetched }: GetTask,
): Promise<Result<TaskRecord, Refusal>> {
  const { actor, store } = ctx;
  if (!actor.atoms.includes("tasks_get")) return refuse({ type: "not-authorised" });
  const known = prefetched && "taskId" in prefetched && prefetched.taskId === taskId ? prefetched : undefined;
  const row = known ? known.row : await loadTask(store, { taskId, practices: actor.practices });
  if (row) return ok(await taskRecord(store, row, historyLength));
  const exists = known ? known.exists : await taskExists(store, taskId);
  return refuse({ type: exists ? "not-authorised" : "not-found" });
}
