import { hashPassword } from "#lib/auth/password";
import type { Context } from "#lib/context";
import type { OperatorActor } from "#lib/domain/actor";
import { grantsOf } from "#lib/domain/grant";
import { ok, refuse, type Result } from "#lib/domain/result";
import { insertPerson, lockAdminExists } from "#lib/store/admin-people";
import { newId } from "#lib/store/new-id";
import { administer } from "./administer.ts";
import { checkedLater } from "./checked.ts";
import { peopleChain, personSchema, type CreatePerson } from "./create-person.ts";
import type { AdminRefusal } from "./refusal.ts";

/** Makes the first admin. Refused where an active one exists, however many ask at once. */
export async function bootstrapAdmin(
  ctx: Context<OperatorActor>,
  input: Pick<CreatePerson, "email" | "name" | "password">,
): Promise<Result<{ id: string }, AdminRefusal>> {
  const person = await checkedLater(personSchema, { ...input, roles: ["admin"], practices: [] });
  if (!person.ok) return person;
  const { email, name = email.split("@")[0] ?? email, roles, practices, password } = person.value;
  const passwordHash = await hashPassword(password);
  return administer(ctx, "every-practice", async (tx) => {
    if (await lockAdminExists(tx)) return refuse({ type: "admin-exists" });
    const id = newId();
    const inserted = await insertPerson(tx, { id, email, name, grants: grantsOf(roles, practices), passwordHash });
    if (!inserted) return refuse({ type: "taken", what: "email" });
    const detail = { person: id, roles, practices, first: true };
    return ok({ value: { id }, chain: peopleChain, entries: [{ act: "person.created", detail }] });
  });
}
