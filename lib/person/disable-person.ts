import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { announce } from "#lib/db/announce";
import { closePerson } from "#lib/person/store/admin-people";
import { administer } from "#lib/access/administer";
import { administersAllOf, denyBeyondReach, lockAdministeredPerson } from "./administered-person.ts";
import { peopleChain } from "./create-person.ts";
import { isOnlyAdmin } from "./last-admin.ts";
import type { AdminRefusal } from "#lib/access/refusal";

export type DisablePerson = { readonly id?: string | undefined; readonly email?: string | undefined };

/**
 * Deactivates an account, ends its sessions and unassigns its open cases in one commit. The person's decisions stay in
 * the audit log. The actor must administer everything the person may do.
 */
export async function disablePerson(
  ctx: Context,
  { id, email }: DisablePerson,
): Promise<Result<{ id: string; sessionsEnded: number }, AdminRefusal>> {
  const disabled = await administer(ctx, "what-it-reads", async (tx) => {
    const found = await lockAdministeredPerson(tx, ctx.actor, { id, email });
    if (!found.ok) return found;
    const person = found.value;
    if (!administersAllOf(ctx.actor, person)) return denyBeyondReach(tx, ctx.actor, person);
    if (await isOnlyAdmin(tx, ctx.actor, person)) return refuse({ type: "last-admin" });
    const { sessionsEnded, unassigned } = await closePerson(tx, person.id);
    const value = { id: person.id, sessionsEnded };
    if (person.status === "disabled" && sessionsEnded === 0) return ok({ value, chain: peopleChain, entries: [] });
    const detail = { person: person.id, sessionsEnded, ...(unassigned > 0 ? { unassigned } : {}) };
    return ok({ value, chain: peopleChain, entries: [{ act: "person.disabled", detail }] });
  });
  if (disabled.ok) announce(ctx.store, "people", disabled.value.id);
  return disabled;
}
