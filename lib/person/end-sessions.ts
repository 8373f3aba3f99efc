import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, type Result } from "#lib/platform/result";
import { announce } from "#lib/db/announce";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { inTransaction } from "#lib/db/db";
import { endSessionsOf, liveSessionsOf, type SessionRecord } from "#lib/person/store/sessions";
import { administer } from "#lib/access/administer";
import { administersAllOf, denyBeyondReach, lockAdministeredPerson } from "./administered-person.ts";
import { peopleChain } from "./create-person.ts";
import type { AdminRefusal } from "#lib/access/refusal";

type SessionSelection = { readonly personId: string; readonly sessionId?: string | undefined };

/** Ends one session of a person, or all of them, from the next request of each on. Returns how many ended. */
export async function endSessions(
  ctx: Context,
  { personId, sessionId }: SessionSelection,
): Promise<Result<number, AdminRefusal>> {
  const ended = await administer(ctx, "what-it-reads", async (tx) => {
    const found = await lockAdministeredPerson(tx, ctx.actor, { id: personId });
    if (!found.ok) return found;
    const person = found.value;
    if (!administersAllOf(ctx.actor, person)) return denyBeyondReach(tx, ctx.actor, person);
    const count = await endSessionsOf(tx, { personId: person.id, only: sessionId });
    const detail = { person: person.id, ...(sessionId === undefined ? {} : { session: sessionId }), count };
    const entries = count === 0 ? [] : [{ act: "person.sessions-ended", detail } as const];
    return ok({ value: count, chain: peopleChain, entries });
  });
  if (ended.ok && ended.value > 0) announce(ctx.store, "people", personId);
  return ended;
}

/** The actor's own sessions. */
export async function listOwnSessions({ actor, store }: Context<PersonActor>): Promise<readonly SessionRecord[]> {
  return liveSessionsOf(store, actor.id);
}

/** Ends one of the actor's own sessions, or all but the current one. */
export async function endOwnSessions(
  { actor, store }: Context<PersonActor>,
  { only, except }: { readonly only?: string | undefined; readonly except?: string | undefined },
): Promise<number> {
  const count = await inTransaction(store, async (tx) => {
    const ended = await endSessionsOf(tx, { personId: actor.id, only, except });
    const detail = { person: actor.id, ...(only === undefined ? {} : { session: only }), count: ended };
    if (ended > 0) await appendAudit(tx, { chain: peopleChain, actor, act: "person.sessions-ended", detail });
    return ended;
  });
  if (count > 0) announce(store, "people", actor.id);
  return count;
}
