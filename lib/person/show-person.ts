import type { Context } from "#lib/access/context";
import { isAdmin, type Actor } from "#lib/access/model/actor";
import { ok, type Result } from "#lib/platform/result";
import type { PersonRecord } from "#lib/person/store/admin-people";
import { liveSessionsOf, type SessionRecord } from "#lib/person/store/sessions";
import { findKnown, isWhollyOf, mayGrant } from "./administered-person.ts";
import { denied } from "#lib/access/denied";
import type { AdminRefusal } from "#lib/access/refusal";

export type ShownPerson = PersonRecord & {
  /** Whoever looks is an admin of everything the person may do, and so may close the account and see its sessions. */
  readonly isWhole: boolean;
  readonly sessions: readonly SessionRecord[];
};

/** A person with what they may do where whoever looks is an admin. */
export async function showPerson(
  { actor, store }: Context,
  { id }: { id: string },
): Promise<Result<ShownPerson, AdminRefusal>> {
  if (!isAdmin(actor)) return denied({ actor, store }, "people");
  const known = await findKnown(store, actor, id);
  if (!known.ok) return known;
  const person = known.value;
  const isWhole = isWhollyOf(actor, person);
  const sessions = isWhole ? await liveSessionsOf(store, person.id) : [];
  return ok({ ...shownTo(actor, person), isWhole, sessions });
}

/** Of what they may do, that alone where this actor is an admin; and of their account as a whole nothing to others. */
export function shownTo(actor: Actor, { secondFactor, ...person }: PersonRecord): PersonRecord {
  const grants = person.grants.filter((grant) => mayGrant(actor, [grant]));
  return { ...person, grants, ...(isWhollyOf(actor, person) ? { secondFactor } : {}) };
}
