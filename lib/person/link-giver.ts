import { powersOf, type Grant } from "#lib/access/model/grant";
import type { Tx } from "#lib/db/db";
import { loadGrants } from "#lib/person/store/grants";
import type { LinkIssuer } from "#lib/person/store/password-links";
import { personActor } from "#lib/person/store/people";
import { isWhollyOf } from "./administered-person.ts";

/**
 * Whether whoever gave a link could give it now: their account is open, and they are an admin of everything its person
 * may do. Else what a link was given for would be the way to what its giver has no right to. The operator always could.
 */
export async function isStillGiven(
  db: Tx,
  { givenBy }: LinkIssuer,
  person: { readonly grants: readonly Grant[] },
): Promise<boolean> {
  if (givenBy === null) return true;
  const giver = await db.person.findUnique({ where: { id: givenBy }, select: { status: true } });
  if (giver?.status !== "active") return false;
  const { grants } = await loadGrants(db, givenBy);
  return isWhollyOf({ ...personActor(givenBy), ...powersOf(grants) }, person);
}
