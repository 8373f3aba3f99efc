import { administers, reaches, type Actor } from "#lib/access/model/actor";
import type { Grant } from "#lib/access/model/grant";
import { ok, refuse, type Result } from "#lib/platform/result";
import { findPersonRecord, lockPerson, type PersonRecord } from "#lib/person/store/admin-people";
import type { Store, Tx } from "#lib/db/db";
import { outOfReach } from "#lib/access/denied";
import type { AdminRefusal } from "#lib/access/refusal";

type Granted = { readonly grants: readonly Grant[] };

/** Whether somebody may give and take this: they are an admin where it holds. */
export function mayGrant(actor: Actor, grants: readonly Grant[]): boolean {
  return grants.every(({ practiceId }) => reaches(administers(actor), practiceId === undefined ? [] : [practiceId]));
}

type Locked = NonNullable<Awaited<ReturnType<typeof lockPerson>>>;

/**
 * A person an admin knows, held until the commit. Anybody else is not found, as if there were no such person; that
 * somebody asked for them is on record.
 */
export async function lockKnown(
  tx: Tx,
  actor: Actor,
  named: { readonly id?: string | undefined; readonly email?: string | undefined },
): Promise<Result<Locked, AdminRefusal>> {
  return orNotFound(tx, actor, await lockPerson(tx, named));
}

/** The same, to look at. */
export async function findKnown(store: Store, actor: Actor, id: string): Promise<Result<PersonRecord, AdminRefusal>> {
  return orNotFound(store.prisma, actor, await findPersonRecord(store, id));
}

async function orNotFound<Person extends Granted & { readonly id: string }>(
  db: Tx,
  actor: Actor,
  person: Person | undefined,
): Promise<Result<Person, AdminRefusal>> {
  if (!person) return refuse({ type: "not-found", what: "person" });
  if (isKnownTo(actor, person)) return ok(person);
  const practices = new Set(person.grants.flatMap(({ practiceId }) => practiceId ?? []));
  return outOfReach(db, actor, { what: "person", id: person.id, practices: [...practices] });
}

/** Whether a person is there for an admin at all: something they hold lies in the admin's practices. */
export function isKnownTo(actor: Actor, { grants }: Granted): boolean {
  return administers(actor) === "every" || grants.some((grant) => mayGrant(actor, [grant]));
}

/** Whether an admin may do to a person what is felt everywhere: close the account, end sessions, give a new password. */
export function isWhollyOf(actor: Actor, person: Granted): boolean {
  return isKnownTo(actor, person) && mayGrant(actor, person.grants);
}

export function isAdminOfAll({ grants }: Granted): boolean {
  return grants.some(({ role, practiceId }) => role === "admin" && practiceId === undefined);
}

/** Said of a role over every practice to whoever is not an admin of every one. */
export const beyondReach = refuse({
  type: "invalid" as const,
  issues: [{ field: "practices", problem: "must be among those you administer" }],
});
