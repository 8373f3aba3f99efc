import type { Context } from "#lib/context";
import { ok, refuse, type Result } from "#lib/domain/result";
import { lockPerson, reopenPerson } from "#lib/store/admin-people";
import { administerProved } from "./administer.ts";
import { isKnownTo, isWhollyOf } from "./administered-person.ts";
import { peopleChain } from "./create-person.ts";
import type { AdminRefusal } from "./refusal.ts";

/** Opens a closed account again, with the roles it had; its sessions stay ended. */
export async function enablePerson(
  ctx: Context,
  { id, email }: { readonly id?: string | undefined; readonly email?: string | undefined },
): Promise<Result<{ id: string }, AdminRefusal>> {
  return administerProved(ctx, "what-it-reads", async (tx) => {
    const person = await lockPerson(tx, { id, email });
    if (!person || !isKnownTo(ctx.actor, person)) return refuse({ type: "not-found", what: "person" });
    if (!isWhollyOf(ctx.actor, person)) return refuse({ type: "beyond-reach" });
    const value = { id: person.id };
    if (person.status !== "disabled") return ok({ value, chain: peopleChain, entries: [] });
    await reopenPerson(tx, person.id);
    return ok({ value, chain: peopleChain, entries: [{ act: "person.enabled", detail: { person: person.id } }] });
  });
}
