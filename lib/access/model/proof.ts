import type { PersonActor } from "./actor.ts";

/** A proof of identity is valid for 10 minutes. Some acts need one always, a release where its practice requires it. */
const proofAgeMaxMs = 10 * 60 * 1000;

/** Whether the person proved who they are recently enough in this session. */
export function hasRecentProof({ provedAt }: PersonActor, now: Date): boolean {
  return provedAt !== undefined && now.getTime() - provedAt.getTime() < proofAgeMaxMs;
}
