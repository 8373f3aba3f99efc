import { administers, reaches, type Actor } from "#lib/domain/actor";
import type { Grant } from "#lib/domain/grant";
import { refuse } from "#lib/domain/result";

type Granted = { readonly grants: readonly Grant[] };

/** Whether somebody may give and take this: they are an admin where it holds. */
export function mayGrant(actor: Actor, grants: readonly Grant[]): boolean {
  return grants.every(({ practiceId }) => reaches(administers(actor), practiceId === undefined ? [] : [practiceId]));
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
