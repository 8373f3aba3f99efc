import type { Context } from "#lib/access/context";
import type { Atom, ChannelActor } from "#lib/access/model/actor";
import { missingPermission } from "#lib/channel/model/authority";
import { ok, refuse, type Result } from "#lib/platform/result";
import { findInHistory } from "#lib/task/store/messages";
import { rowToTask, type RecordRow } from "#lib/task/store/task-rows";
import type { Refusal } from "./refusal.ts";
import { lookUpTask, type TaskLookup } from "./look-up-task.ts";
import { taskRecord } from "./task-record.ts";
import type { TaskRecord, UnchangedTask } from "./views.ts";

export type GetTask = TaskLookup & {
  readonly historyLength: number;
  /** Of these messages only those after this one, by its id in the history. */
  readonly historyAfter?: string | undefined;
  /** What the channel must hold: that for reading, unless the task is the answer of another call. */
  readonly atom?: Atom | undefined;
  /** Whether there is advice even where nothing is missing. */
  readonly isAdvised?: boolean | undefined;
};

/**
 * A task that the channel reaches. Refused as `not-authorised` without the permission or for another practice's task,
 * `not-found` for an unknown id, and `invalid` for a message that is not the task's. If the task is still at the version
 * that the channel knows, only that is returned.
 */
export function getTask(ctx: Context<ChannelActor>, asked: GetTask): Promise<Result<TaskRecord, Refusal>>;
export function getTask(ctx: Context<ChannelActor>, asked: GetTask & Known): Promise<Answer>;
export async function getTask(
  ctx: Context<ChannelActor>,
  { unlessVersion, ...asked }: GetTask & Partial<Known>,
): Promise<Answer> {
  const found = await find(ctx, asked);
  if (!found.ok) return found;
  const { row } = found.value;
  return row.version === unlessVersion ? ok(unchangedTask(ctx, row)) : recordOf(ctx, asked, found.value);
}

type Answer = Result<TaskRecord | UnchangedTask, Refusal>;

/** The version the channel knows. */
type Known = { readonly unlessVersion: number | undefined };

type Found = { readonly row: RecordRow; readonly history: Awaited<ReturnType<typeof lookUpTask>>["history"] };

async function find(
  ctx: Context<ChannelActor>,
  { atom = "tasks_get", taskId, prefetched }: GetTask,
): Promise<Result<Found, Refusal>> {
  const { exists, row, history } = await lookUpTask(ctx, { taskId, prefetched });
  if (missingPermission(ctx.actor, { atom })) return refuse({ type: "not-authorised" });
  if (!row) return refuse({ type: exists ? "not-authorised" : "not-found" });
  return ok({ row, history });
}

async function recordOf(
  { store }: Context,
  { historyLength, historyAfter, isAdvised }: GetTask,
  { row, history }: Found,
): Promise<Result<TaskRecord, Refusal>> {
  if (historyAfter === undefined) return ok(await taskRecord(store, row, { historyLength, history, isAdvised }));
  const after = await findInHistory(store, { taskId: row.id, practiceId: row.practice_id, named: historyAfter });
  if (after === undefined) {
    const problem = "is not the id of a message of this task";
    return refuse({ type: "invalid", issues: [{ path: "/metadata/historyAfter", problem }] });
  }
  return ok(await taskRecord(store, row, { historyLength, historyAfter: after, isAdvised }));
}

function unchangedTask({ store }: Context, row: RecordRow): UnchangedTask {
  return {
    isUnchanged: true,
    id: row.id,
    contextId: row.context_id,
    practiceId: row.practice_id,
    task: rowToTask(row, store.sealer),
    changedAt: row.changed_at,
    version: row.version,
  };
}
