import type { Context } from "#lib/access/context";
import type { ChannelActor } from "#lib/access/model/actor";
import type { PrefetchResult, PrefetchedTask } from "#lib/channel/store/admission";
import { findTask } from "#lib/task/store/load-task";

export type TaskLookup = {
  readonly taskId: string;
  /** What was read along with the credential, a moment ago. */
  readonly prefetched?: PrefetchResult | undefined;
};

/**
 * Whether a task exists at all, and its row where the channel reaches it: one read, whatever the answer. A verb looks
 * at the channel's atoms only afterwards, so that the time of a denial does not tell its cause.
 */
export async function lookUpTask(
  { actor, store }: Context<ChannelActor>,
  { taskId, prefetched }: TaskLookup,
): Promise<Omit<PrefetchedTask, "taskId">> {
  if (prefetched && "taskId" in prefetched && prefetched.taskId === taskId) return prefetched;
  return findTask(store, { taskId, practices: actor.practices });
}
