import type { Context } from "#lib/access/context";
import { isAdmin, type Actor } from "#lib/access/model/actor";
import { ok, type Result } from "#lib/platform/result";
import type { PersonRecord } from "#lib/person/store/admin-people";
import { liveSessionsOf, type SessionRecord } from "#lib/person/store/sessions";
import { findAdministeredPerson, administersAllOf, mayGrant } from "./administered-person.ts";
import { deny } from "#lib/access/deny";
import type { AdminRefusal } from "#lib/access/refusal";

export type ShownPerson = PersonRecord & {
  /** The actor administers everything the person may do, and so may deactivate the account and see its sessions. */
  readonly isWhole: boolean;
  readonly sessions: readonly SessionRecord[];
};

/** A person with their roles in the practices that the actor administers. */
export async function showPerson(
  { actor, store }: Context,
  { id }: { id: string },
): Promise<Result<ShownPerson, AdminRefusal>> {
  if (!isAdmin(actor)) return deny({ actor, store }, "people");
  const found = await findAdministeredPerson(store, actor, id);
  if (!found.ok) return found;
  const person = found.value;
  const isWhole = administersAllOf(actor, person);
  const sessions = isWhole ? await liveSessionsOf(store, person.id) : [];
  return ok({ ...visibleTo(actor, person), isWhole, sessions });
}

/**
 * The roles that this actor may see; the second factor only where the actor administers all of the person's practices.
 */
export function visibleTo(actor: Actor, { secondFactor, ...person }: PersonRecord): PersonRecord {
  const grants = person.grants.filter((grant) => mayGrant(actor, [grant]));
  return { ...person, grants, ...(administersAllOf(actor, person) ? { secondFactor } : {}) };
}
