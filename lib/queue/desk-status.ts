import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { loadClaims } from "#lib/queue/store/claims";
import { loadReaders } from "#lib/queue/store/presences";
import { reviewedBy } from "#lib/task/desk-refusal";
import { nowMs } from "#lib/platform/now";

/** Who works on a case at one moment, as sent to a reviewer's browser. */
export type DeskStatus = {
  /** The time of the server. */
  readonly atMs: number;
  readonly claim?:
    | {
        readonly personId: string;
        readonly name: string;
        readonly mine: boolean;
        readonly sinceMs: number;
        /** The claim was taken over from the reader. */
        readonly fromReader: boolean;
        /** The holder of the claim has the case open. */
        readonly reading: boolean;
      }
    | undefined;
  /** Others who have the case open, without the holder and the reader; the earliest first. */
  readonly readers: readonly { readonly name: string; readonly sinceMs: number }[];
};

/** Who works on a case of the reviewer's practices. */
export async function deskStatus({ actor, store }: Context<PersonActor>, taskId: string): Promise<DeskStatus> {
  const query = { taskIds: [taskId], practices: reviewedBy(actor), personId: actor.id };
  const [[claim], readers] = await Promise.all([loadClaims(store, query), loadReaders(store, query)]);
  return {
    atMs: nowMs(),
    claim: claim && {
      personId: claim.personId,
      name: claim.name,
      mine: claim.personId === actor.id,
      sinceMs: claim.since.getTime(),
      fromReader: claim.takenFrom === actor.id,
      reading: readers.some(({ personId }) => personId === claim.personId),
    },
    readers: readers
      .filter(({ personId }) => personId !== claim?.personId)
      .map(({ name, since }) => ({ name, sinceMs: since.getTime() })),
  };
}
