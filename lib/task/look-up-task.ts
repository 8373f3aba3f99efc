import type { Context } from "#lib/access/context";
import type { ChannelActor } from "#lib/access/model/actor";
import type { PrefetchResult, PrefetchedTask } from "#lib/channel/store/admission";
import { findTask } from "#lib/task/store/load-task";
import { knownRow, type RecordRow } from "#lib/task/store/task-rows";

export type TaskLookup = {
  readonly taskId: string;
  /** What was read together with the credential, a moment ago. */
  readonly prefetched?: PrefetchResult | undefined;
};

type FoundTask = Omit<PrefetchedTask, "taskId" | "row"> & { readonly row: RecordRow | undefined };

/**
 * Whether a task exists, and its row if the channel reaches it: one read in either case. Check the channel's
 * permissions only afterwards, so that the time of a denial does not reveal its cause.
 */
export async function lookUpTask(
  { actor, store }: Context<ChannelActor>,
  { taskId, prefetched }: TaskLookup,
): Promise<FoundTask> {
  if (prefetched && "taskId" in prefetched && prefetched.taskId === taskId)
    return { ...prefetched, row: prefetched.row && knownRow<RecordRow>(prefetched.row) };
  return findTask(store, { taskId, practices: actor.practices });
}
