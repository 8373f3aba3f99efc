import type { PersonActor } from "#lib/domain/actor";

/** The practices whose cases this person may see, and so may hear of. */
export function watchedPractices({ roles, practices }: PersonActor): readonly string[] {
  return roles.includes("reviewer") ? practices : [];
}
