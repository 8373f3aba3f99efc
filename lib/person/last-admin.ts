import type { Actor } from "#lib/access/model/actor";
import type { Grant } from "#lib/access/model/grant";
import { isLastAdmin } from "#lib/person/store/admin-people";
import type { Tx } from "#lib/db/db";
import { isAdminOfAll } from "./administered-person.ts";

type Person = { readonly id: string; readonly grants: readonly Grant[] };

/**
 * Whether this person is the only one who administers every practice and can sign in, so that taking their role or
 * their sign-in must be refused. Always false for the operator, who can create another. `issuer` is the provider that
 * the others would use; by default the one the actor signed in through.
 */
export async function isOnlyAdmin(
  tx: Tx,
  actor: Actor,
  person: Person,
  { issuer = actor.kind === "person" ? actor.issuer : undefined }: { readonly issuer?: string | undefined } = {},
): Promise<boolean> {
  if (actor.kind === "operator" || !isAdminOfAll(person)) return false;
  return isLastAdmin(tx, person.id, issuer);
}
