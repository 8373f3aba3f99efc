import { powersOf, type Grant } from "#lib/access/model/grant";
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
  const giver = await db.person.findUnique({ where: { id: givenBy }, select: { status: true } });
  if (giver?.status !== "active") return false;
  const { grants } = await loadGrants(db, givenBy);
  return administersAllOf({ ...personActor(givenBy), ...powersOf(grants) }, person);
}
