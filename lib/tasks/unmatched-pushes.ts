import type { Context } from "#lib/context";
import type { PersonActor } from "#lib/domain/actor";
import { ok, refuse, type Result } from "#lib/domain/result";
import { appendAudit } from "#lib/store/audit";
import { inTransaction } from "#lib/store/db";
import {
  countUnmatched,
  findUnmatched,
  listUnmatched,
  markHandled,
  type UnmatchedPush,
} from "#lib/store/unmatched-pushes";
import { reviewedBy, type DeskRefusal } from "./desk-refusal.ts";

export type { UnmatchedPush };

/** The notifications that matched no one case in the practices a person reviews for, and are not handled. */
export async function unmatchedPushes({ actor, store }: Context<PersonActor>): Promise<readonly UnmatchedPush[]> {
  return listUnmatched(store, reviewedBy(actor));
}

/** How many of them there are. */
export async function unmatchedCount({ actor, store }: Context<PersonActor>): Promise<number> {
  return countUnmatched(store, reviewedBy(actor));
}

/**
 * One of them, byte for byte, for a reviewer of its practice; anyone else finds nothing. Each reading is on record
 * before it is given out.
 */
export async function readUnmatched(
  { actor, store }: Context<PersonActor>,
  { id }: { readonly id: string },
): Promise<Result<Uint8Array, DeskRefusal>> {
  const found = await findUnmatched(store, { id, practices: reviewedBy(actor) });
  if (!found) return refuse({ type: "not-found" });
  const { practiceId, bytes } = found;
  const entry = { chain: practiceId, actor, act: "push.opened", detail: { push: id } } as const;
  await inTransaction(store, (tx) => appendAudit(tx, entry));
  return ok(bytes);
}

/** Takes one off the list, for a reviewer of its practice who has seen to it; the bytes stay. Done once. */
export async function handleUnmatched(
  { actor, store }: Context<PersonActor>,
  { id }: { readonly id: string },
): Promise<Result<"done" | "nothing", DeskRefusal>> {
  return inTransaction(store, async (tx) => {
    const handled = await markHandled(tx, { id, practices: reviewedBy(actor), personId: actor.id });
    if (!handled) return refuse({ type: "not-found" });
    if (!handled.first) return ok("nothing");
    await appendAudit(tx, { chain: handled.practiceId, actor, act: "push.handled", detail: { push: id } });
    return ok("done");
  });
}
