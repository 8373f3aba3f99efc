import { hashPassword } from "#lib/person/sign-in/password";
import type { Context } from "#lib/access/context";
import type { OperatorActor } from "#lib/access/model/actor";
import { grantsOf } from "#lib/access/model/grant";
import { ok, refuse, type Result } from "#lib/platform/result";
import { insertPerson, lockAdminExists } from "#lib/person/store/admin-people";
import { newId } from "#lib/db/new-id";
import { administer } from "#lib/access/administer";
import { validateAsync } from "#lib/access/validate";
import { peopleChain, personSchema, type CreatePerson } from "./create-person.ts";
import type { AdminRefusal } from "#lib/access/refusal";

/**
 * Creates the first administrator. Refuses with `admin-exists` where an active one exists; of concurrent calls one
 * succeeds.
 */
export async function bootstrapAdmin(
  ctx: Context<OperatorActor>,
  input: Pick<CreatePerson, "email" | "name" | "password">,
): Promise<Result<{ id: string }, AdminRefusal>> {
  const person = await validateAsync(personSchema, { ...input, roles: ["admin"], practices: [] });
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
