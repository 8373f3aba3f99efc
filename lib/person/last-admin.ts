import type { Actor } from "#lib/access/model/actor";
import type { Grant } from "#lib/access/model/grant";
import { isLastAdmin } from "#lib/person/store/admin-people";
import type { Tx } from "#lib/db/db";
import { isAdminOfAll } from "./administered-person.ts";

type Person = { readonly id: string; readonly grants: readonly Grant[] };

/**
 * Whether nobody would be left who can sign in and administer every practice, were this person's way in or their role
 * taken. The operator may, who can make another. `issuer` is the provider others would come through; unless given, the
 * one whoever asks came through.
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
