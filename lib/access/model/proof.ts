import type { PersonActor } from "./actor.ts";

/** How many minutes a proof of identity is valid. Some acts need one always, a release where its practice requires it. */
export const proofMinutes = 10;

/** Whether the person proved who they are recently enough in this session. */
export function hasRecentProof({ provedAt }: PersonActor, now: Date): boolean {
  return provedAt !== undefined && now.getTime() - provedAt.getTime() < proofMinutes * 60 * 1000;
}
