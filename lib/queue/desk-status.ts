import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { loadReaders } from "#lib/queue/store/presences";
import { reviewedBy } from "#lib/task/desk-refusal";
import { nowMs } from "#lib/platform/now";

/** Who looks at a case at one moment, as sent to a reviewer's browser. */
export type DeskStatus = {
  /** The time of the server. */
  readonly atMs: number;
  /** Others who have the case open, the earliest first. */
  readonly readers: readonly { readonly name: string; readonly sinceMs: number }[];
};

/** Who looks at a case of the reviewer's practices. */
export async function deskStatus({ actor, store }: Context<PersonActor>, taskId: string): Promise<DeskStatus> {
  const query = { taskIds: [taskId], practices: reviewedBy(actor), personId: actor.id };
  const readers = await loadReaders(store, query);
  return {
    atMs: nowMs(),
    readers: readers.map(({ name, since }) => ({ name, sinceMs: since.getTime() })),
  };
}
