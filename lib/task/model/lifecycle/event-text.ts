import type { Event } from "./event.ts";

/** The members of events that are instants; JSON has none. */
const instants = ["at", "releasedAt", "claimableAt", "leaseUntil", "openedAt", "expiresAt", "decidedAt", "receivedAt"];

/** An event as it is kept: its facts as JSON, beside its type. */
export function factsText({ type: _, ...facts }: Event): string {
  return JSON.stringify(facts);
}

/** The event that was kept so. */
export function eventOf(type: string, facts: string): Event {
  const revive = (name: string, value: unknown) =>
    instants.includes(name) && typeof value === "string" ? new Date(value) : value;
  // Safe because only `factsText` writes facts, from this type, and they are kept under authentication.
  return { type, ...(JSON.parse(facts, revive) as object) } as Event;
}
