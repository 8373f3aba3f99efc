import type { Context } from "#lib/context";
import { ok, refuse, type Result } from "#lib/domain/result";
import { announce } from "#lib/store/announce";
import type { Tx } from "#lib/store/db";
import { isOnlyWay } from "#lib/store/passkeys";
import { deleteSecondFactors } from "#lib/store/second-factors";
import { endSessionsOf } from "#lib/store/sessions";
import { administerProved } from "./administer.ts";
import { isWhollyOf, lockKnown } from "./administered-person.ts";
import { peopleChain } from "./create-person.ts";
import { isOnlyAdmin } from "./last-admin.ts";
import type { AdminRefusal } from "./refusal.ts";

export type ResetSecondFactor = { readonly id?: string | undefined; readonly email?: string | undefined };

/**
 * Takes away somebody's passkeys, app and recovery codes, and ends their
 * sessions: they sign in by the password alone again. Only an admin of
 * everything the person may do does it.
 */
export async function resetSecondFactor(
  ctx: Context,
  { id, email }: ResetSecondFactor,
): Promise<Result<{ id: string; sessionsEnded: number }, AdminRefusal>> {
  const act = async (tx: Tx) => {
    const known = await lockKnown(tx, ctx.actor, { id, email });
    if (!known.ok) return known;
    const person = known.value;
    if (!isWhollyOf(ctx.actor, person)) return refuse({ type: "beyond-reach" });
    const isLast = (await isOnlyWay(tx, person.id)) && (await isOnlyAdmin(tx, ctx.actor, person));
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
