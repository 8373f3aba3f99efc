import type { Context } from "#lib/access/context";
import { ok, type Result } from "#lib/platform/result";
import { reopenPerson } from "#lib/person/store/admin-people";
import { administerProved } from "#lib/access/administer";
import { administersAllOf, denyBeyondReach, lockAdministeredPerson } from "./administered-person.ts";
import { refuseAdminAccount } from "./change-grants.ts";
import { peopleChain } from "./create-person.ts";
import type { AdminRefusal } from "#lib/access/refusal";

/**
 * Activates a deactivated account with the roles it had; its sessions stay ended. Refuses an administrator where a second
 * one is wanted (`second-admin-first`).
 */
export async function enablePerson(
  ctx: Context,
  { id, email }: { readonly id?: string | undefined; readonly email?: string | undefined },
): Promise<Result<{ id: string }, AdminRefusal>> {
  return administerProved(ctx, "what-it-reads", async (tx) => {
    const found = await lockAdministeredPerson(tx, ctx.actor, { id, email });
    if (!found.ok) return found;
    const person = found.value;
    if (!administersAllOf(ctx.actor, person)) return denyBeyondReach(tx, ctx.actor, person);
    const value = { id: person.id };
    if (person.status !== "disabled") return ok({ value, chain: peopleChain, entries: [] });
    const refused = await refuseAdminAccount(tx, ctx.actor, person);
    if (refused) return refused;
    await reopenPerson(tx, person.id);
    return ok({ value, chain: peopleChain, entries: [{ act: "person.enabled", detail: { person: person.id } }] });
  });
}
