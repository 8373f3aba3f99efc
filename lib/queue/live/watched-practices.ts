import type { PersonActor } from "#lib/access/model/actor";
import type { Heads } from "#lib/audit/shared/heads";

/** The practices whose cases this person may see. */
export function watchedPractices({ roles, practices }: PersonActor): readonly string[] {
  return roles.includes("reviewer") ? practices : [];
}

/** The heads of the practices that the person may see, among those that the browser names. */
export function ofOwnPractices(actor: PersonActor, heads: Heads): Heads {
  const own = new Set(watchedPractices(actor));
  return Object.fromEntries(Object.entries(heads).filter(([practice]) => own.has(practice)));
}
