import type { Context } from "#lib/access/context";
import type { Atom, ChannelActor } from "#lib/access/model/actor";
import { missingPermission } from "#lib/channel/model/authority";
import { ok, refuse, type Result } from "#lib/platform/result";
import { findInHistory, type SealedMessage } from "#lib/task/store/messages";
import { rowToTask, type RecordRow } from "#lib/task/store/task-rows";
import { messageProblems } from "#lib/messages/problems/agent";
import type { Refusal } from "./refusal.ts";
import { historyLengthMax } from "./message-history.ts";
import { lookUpTask, type TaskLookup } from "./look-up-task.ts";
import type { RecordCache } from "./record-cache.ts";
import { taskRecord } from "./task-record.ts";
import type { TaskRecord, UnchangedTask } from "./views.ts";

/** A channel's poll, with the last answers to polls. */
type Reading = Context<ChannelActor> & { readonly records?: RecordCache | undefined };

export type GetTask = TaskLookup & {
  readonly historyLength: number;
  /** Only messages after this one, by its id in the history. */
  readonly historyAfter?: string | undefined;
  /** The permission that the channel needs: the one for reading, unless the task answers another call. */
  readonly atom?: Atom | undefined;
  /** Whether to give advice even if nothing is missing. */
  readonly isAdvised?: boolean | undefined;
};

/**
 * A task that the channel reaches. Refused as `not-authorised` without the permission or for another practice's task,
 * `not-found` for an unknown id, and `invalid` for a message that is not the task's. If the task is still at the version
 * that the channel knows, only that is returned.
 */
export function getTask(ctx: Reading, query: GetTask): Promise<Result<TaskRecord, Refusal>>;
export function getTask(ctx: Reading, query: GetTask & KnownVersion): Promise<Answer>;
export async function getTask(
  ctx: Reading,
  { unlessVersion, ...query }: GetTask & Partial<KnownVersion>,
): Promise<Answer> {
  const found = await find(ctx, query);
  if (!found.ok) return found;
  if ("known" in found.value) {
    const { known } = found.value;
    return ok(known.version === unlessVersion ? { ...known, isUnchanged: true } : known);
  }
  const { row } = found.value;
  return row.version === unlessVersion ? ok(unchangedTask(ctx, row)) : recordOf(ctx, query, found.value);
}

type Answer = Result<TaskRecord | UnchangedTask, Refusal>;

/** The version the channel knows. */
type KnownVersion = { readonly unlessVersion: number | undefined };

type FoundRow = { readonly row: RecordRow; readonly history: readonly SealedMessage[] | undefined };
type FoundTask = FoundRow | { readonly known: TaskRecord };

async function find(
  ctx: Context<ChannelActor>,
  { atom = "tasks_get", taskId, prefetched }: GetTask,
): Promise<Result<FoundTask, Refusal>> {
  const { exists, row, history, known } = await lookUpTask(ctx, { taskId, prefetched });
  if (missingPermission(ctx.actor, { atom })) return refuse({ type: "not-authorised" });
  if (known) return ok({ known });
  if (!row) return refuse({ type: exists ? "not-authorised" : "not-found" });
  return ok({ row, history });
}

async function recordOf(
  { store, actor: reader, records }: Reading,
  { historyLength, historyAfter, isAdvised }: GetTask,
  { row, history }: FoundRow,
): Promise<Result<TaskRecord, Refusal>> {
  if (historyAfter === undefined) {
    const record = await taskRecord(store, row, { historyLength, history, isAdvised, reader });
    const { keyId } = reader;
    if (keyId !== undefined)
      records?.keep({ keyId, taskId: row.id, historyLength: Math.min(historyLength, historyLengthMax) }, record);
    return ok(record);
  }
  const after = await findInHistory(store, { taskId: row.id, practiceId: row.practice_id, named: historyAfter });
  if (after === undefined) {
    const problem = messageProblems.notMessageOfTask;
    return refuse({ type: "invalid", issues: [{ path: "/metadata/historyAfter", problem }] });
  }
  return ok(await taskRecord(store, row, { historyLength, historyAfter: after, isAdvised, reader }));
}

function unchangedTask({ store }: Context, row: RecordRow): UnchangedTask {
  return {
    isUnchanged: true,
    id: row.id,
    contextId: row.context_id,
    practiceId: row.practice_id,
    task: rowToTask(store, row),
    changedAt: row.changed_at,
    version: row.version,
  };
}
