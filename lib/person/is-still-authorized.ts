import type { Actor } from "#lib/access/model/actor";
import { powersOf, type Grant } from "#lib/access/model/grant";
import { administersScope } from "#lib/access/second-admin";
import type { Tx } from "#lib/db/db";
import { loadGrants } from "#lib/person/store/grants";
import type { LinkIssuer } from "#lib/person/store/password-links";
import { personActor } from "#lib/person/store/people";
import { administersAllOf } from "./administered-person.ts";

/**
 * Whether the administrator who gave a link could give it now: their account is active, and they administer everything
 * the link's person may do. Otherwise a link would lead to more than its giver has a right to. A link from the operator
 * always counts.
 */
export async function isStillAuthorized(
  db: Tx,
  { givenBy }: LinkIssuer,
  person: { readonly grants: readonly Grant[] },
): Promise<boolean> {
  if (givenBy === null) return true;
  const giver = await actorNow(db, givenBy);
  return giver !== undefined && administersAllOf(giver, person);
}

/** Whether a person administers all of these practices at this moment, or every one where none is named. */
export async function isStillAdmin(
  db: Tx,
  { personId, scope }: { readonly personId: string; readonly scope: readonly string[] },
): Promise<boolean> {
  const actor = await actorNow(db, personId);
  return actor !== undefined && administersScope(actor, scope);
}

/** A person with the powers of this moment; undefined where their account is not active. */
async function actorNow(db: Tx, personId: string): Promise<Actor | undefined> {
  const person = await db.person.findUnique({ where: { id: personId }, select: { status: true } });
  if (person?.status !== "active") return undefined;
  const { grants } = await loadGrants(db, personId);
  return { ...personActor(personId), ...powersOf(grants) };
}
