import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { announce } from "#lib/db/announce";
import type { Tx } from "#lib/db/db";
import { isOnlySignIn } from "#lib/person/store/passkeys";
import { deleteSecondFactors } from "#lib/person/store/second-factors";
import { endSessionsOf } from "#lib/person/store/sessions";
import { administerProved } from "#lib/access/administer";
import { administersAllOf, denyBeyondReach, lockAdministeredPerson } from "./administered-person.ts";
import { peopleChain } from "./create-person.ts";
import { isOnlyAdmin } from "./last-admin.ts";
import type { AdminRefusal } from "#lib/access/refusal";

export type ResetSecondFactor = { readonly id?: string | undefined; readonly email?: string | undefined };

/**
 * Removes a person's passkeys, authenticator app and recovery codes and ends their sessions, so that they sign in with
 * the password alone. The actor must administer everything the person may do. Refuses with `last-admin` where a passkey
 * is the last administrator's only way to sign in.
 */
export async function resetSecondFactor(
  ctx: Context,
  { id, email }: ResetSecondFactor,
): Promise<Result<{ id: string; sessionsEnded: number }, AdminRefusal>> {
  const act = async (tx: Tx) => {
    const found = await lockAdministeredPerson(tx, ctx.actor, { id, email });
    if (!found.ok) return found;
    const person = found.value;
    if (!administersAllOf(ctx.actor, person)) return denyBeyondReach(tx, ctx.actor, person);
    const isLast = (await isOnlySignIn(tx, person.id)) && (await isOnlyAdmin(tx, ctx.actor, person));
    if (isLast) return refuse({ type: "last-admin" });
    const removed = await deleteSecondFactors(tx, person.id);
    const value = { id: person.id, sessionsEnded: await endSessionsOf(tx, { personId: person.id }) };
    const detail = { person: person.id, ...removed, sessionsEnded: value.sessionsEnded };
    return ok({ value, chain: peopleChain, entries: [{ act: "person.second-factors-reset" as const, detail }] });
  };
  const reset = await administerProved(ctx, "what-it-reads", act);
  if (reset.ok) announce(ctx.store, "people", reset.value.id);
  return reset;
}
