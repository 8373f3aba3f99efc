import type { PersonActor } from "#lib/access/model/actor";
import type { Heads } from "#lib/audit/store/heads";

/** The practices whose cases this person may see, and so may hear of. */
export function watchedPractices({ roles, practices }: PersonActor): readonly string[] {
  return roles.includes("reviewer") ? practices : [];
}

/** Of the heads a browser names, those of practices its person may see. */
export function ofOwnPractices(actor: PersonActor, heads: Heads): Heads {
  const own = new Set(watchedPractices(actor));
  return Object.fromEntries(Object.entries(heads).filter(([practice]) => own.has(practice)));
}
