import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { loadClaims } from "#lib/queue/store/claims";
import { loadReaders } from "#lib/queue/store/presences";
import { reviewedBy } from "#lib/task/desk-refusal";
import { nowMs } from "#lib/platform/now";

/** Who is at work on a case at one moment, as it goes to a reviewer's browser. */
export type DeskNow = {
  /** The server's clock. */
  readonly atMs: number;
  readonly claim?:
    | {
        readonly personId: string;
        readonly name: string;
        readonly mine: boolean;
        readonly sinceMs: number;
        /** It was taken over from the reader. */
        readonly fromReader: boolean;
        /** Whoever has it also has it on their screen. */
        readonly reading: boolean;
      }
    | undefined;
  /** Everybody but them and the asker who has it on their screen, who came first first. */
  readonly readers: readonly { readonly name: string; readonly sinceMs: number }[];
};

/** Who is at work on a case of the reviewer's practices. */
export async function deskNow({ actor, store }: Context<PersonActor>, taskId: string): Promise<DeskNow> {
  const asked = { taskIds: [taskId], practices: reviewedBy(actor), personId: actor.id };
  const [[claim], readers] = await Promise.all([loadClaims(store, asked), loadReaders(store, asked)]);
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
