import { administers, reaches, type Actor, type Reach } from "#lib/access/model/actor";
import type { Grant } from "#lib/access/model/grant";
import { ok, refuse, type Result } from "#lib/platform/result";
import { findPersonRecord, lockPerson, type PersonRecord } from "#lib/person/store/admin-people";
import type { Store, Tx } from "#lib/db/db";
import { denyOutOfReach } from "#lib/access/deny";
import { recordReachDenial } from "#lib/access/shared/person-denials";
import type { AdminRefusal } from "#lib/access/refusal";
import { personProblems } from "#lib/messages/problems/admin";

type PersonGrants = { readonly grants: readonly Grant[] };

/** Whether the actor may give and take these roles: they administer every practice in which the roles apply. */
export function mayGrant(actor: Actor, grants: readonly Grant[]): boolean {
  return grants.every(({ practiceId }) => reaches(administers(actor), practiceId === undefined ? [] : [practiceId]));
}

type LockedPerson = NonNullable<Awaited<ReturnType<typeof lockPerson>>>;

/**
 * Finds a person whom the actor administers and locks them until the commit. Any other person is `not-found`, as one
 * that does not exist, and the denial goes into the audit log.
 */
export async function lockAdministeredPerson(
  tx: Tx,
  actor: Actor,
  named: { readonly id?: string | undefined; readonly email?: string | undefined },
): Promise<Result<LockedPerson, AdminRefusal>> {
  return orNotFound(tx, actor, await lockPerson(tx, named));
}

/** The same without the lock, for reading. */
export async function findAdministeredPerson(
  store: Store,
  actor: Actor,
  id: string,
): Promise<Result<PersonRecord, AdminRefusal>> {
  return orNotFound(store.prisma, actor, await findPersonRecord(store, id));
}

async function orNotFound<Person extends PersonGrants & { readonly id: string }>(
  db: Tx,
  actor: Actor,
  person: Person | undefined,
): Promise<Result<Person, AdminRefusal>> {
  if (!person) return refuse({ type: "not-found", what: "person" });
  if (administersSomeOf(actor, person)) return ok(person);
  return denyOutOfReach(db, actor, { what: "person", id: person.id, practices: practicesOf(person) });
}

/** All the practices in which a person has a role. */
function practicesOf({ grants }: PersonGrants): Reach {
  const named = grants.flatMap(({ practiceId }) => practiceId ?? []);
  return named.length < grants.length ? "every" : [...new Set(named)];
}

/**
 * Refuses an act on the whole account of a person of whom the actor administers a part. The denial goes into the audit
 * log with all the person's practices.
 */
export async function denyBeyondReach(tx: Tx, actor: Actor, person: PersonGrants & { readonly id: string }) {
  const detail = { requested: "person", person: person.id, practices: practicesOf(person) };
  if (actor.kind === "person") await recordReachDenial(tx, actor, detail);
  return refuse({ type: "beyond-reach" as const });
}

/** Whether the actor administers a practice in which the person has a role. */
export function administersSomeOf(actor: Actor, { grants }: PersonGrants): boolean {
  return administers(actor) === "every" || grants.some((grant) => mayGrant(actor, [grant]));
}

/**
 * Whether the actor administers every practice in which the person has a role. Acts that affect the whole account need
 * it: to deactivate it, to end sessions, to send a new link.
 */
export function administersAllOf(actor: Actor, person: PersonGrants): boolean {
  return administersSomeOf(actor, person) && mayGrant(actor, person.grants);
}

export function isAdminOfAll({ grants }: PersonGrants): boolean {
  return grants.some(({ role, practiceId }) => role === "admin" && practiceId === undefined);
}

/** The refusal of a role over every practice to an actor who does not administer every practice. */
export const beyondReach = refuse({
  type: "invalid" as const,
  issues: [{ field: "practices", problem: personProblems.administeredPractices }],
});
