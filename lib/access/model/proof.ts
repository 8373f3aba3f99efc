import type { PersonActor } from "./actor.ts";

/** A proof of who somebody is holds this long where the practice asks for one: 10 minutes. */
const proofAgeMaxMs = 10 * 60 * 1000;

/** Whether somebody proved who they are recently enough, in this session. */
export function isProved({ provedAt }: PersonActor, now: Date): boolean {
  return provedAt !== undefined && now.getTime() - provedAt.getTime() < proofAgeMaxMs;
}
