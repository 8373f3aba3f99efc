import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { inTransaction } from "#lib/db/db";
import { recordPersonDenial } from "#lib/access/shared/person-denials";
import { countUnmatched } from "#lib/payer/inbox/shared/count-unmatched";
import {
  findUnmatched,
  listUnmatched,
  markHandled,
  practiceOfUnmatched,
  type UnmatchedPush,
} from "#lib/payer/inbox/store/unmatched-pushes";
import { reviewedBy, type DeskRefusal } from "#lib/task/desk-refusal";

export type { UnmatchedPush };

/** The notifications that matched no one case in the practices a person reviews for, and are not handled. */
export async function unmatchedPushes({ actor, store }: Context<PersonActor>): Promise<readonly UnmatchedPush[]> {
  return listUnmatched(store, reviewedBy(actor));
}

/** How many unhandled notifications matched no one case in the practices a person reviews for. */
export async function unmatchedCount({ actor, store }: Context<PersonActor>): Promise<number> {
  return countUnmatched(store, reviewedBy(actor));
}

/**
 * An unmatched notification, byte for byte, for a reviewer of its practice; `not-found` for anyone else. Each reading is in
 * the audit log before the bytes are returned.
 */
export async function readUnmatched(
  { actor, store }: Context<PersonActor>,
  { id }: { readonly id: string },
): Promise<Result<Uint8Array, DeskRefusal>> {
  const found = await findUnmatched(store, { id, practices: reviewedBy(actor) });
  if (!found) return denyUnmatched({ actor, store }, id);
  const { practiceId, bytes } = found;
  const entry = { chain: practiceId, actor, act: "push.opened", detail: { push: id } } as const;
  await inTransaction(store, (tx) => appendAudit(tx, entry));
  return ok(bytes);
}

/** Marks an unmatched notification as handled, for a reviewer of its practice; its bytes stay. The first mark counts. */
export async function handleUnmatched(
  { actor, store }: Context<PersonActor>,
  { id }: { readonly id: string },
): Promise<Result<"done" | "nothing", DeskRefusal>> {
  const done = await inTransaction(store, async (tx) => {
    const handled = await markHandled(tx, { id, practices: reviewedBy(actor), personId: actor.id });
    if (!handled) return "not-found" as const;
    if (!handled.first) return "nothing" as const;
    await appendAudit(tx, { chain: handled.practiceId, actor, act: "push.handled", detail: { push: id } });
    return "done" as const;
  });
  return done === "not-found" ? denyUnmatched({ actor, store }, id) : ok(done);
}

/** Refuses with `not-found`, and records that this person asked for it, with its practice, so that auditors of others do not see it. */
async function denyUnmatched({ actor, store }: Context<PersonActor>, id: string): Promise<Result<never, DeskRefusal>> {
  const practiceId = await practiceOfUnmatched(store, id);
  if (practiceId !== undefined)
    await recordPersonDenial(store, actor, { requested: "notification", notification: id, practices: [practiceId] });
  return refuse({ type: "not-found" });
}
