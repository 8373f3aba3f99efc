import type { Event } from "./event.ts";

/** The members of events that are instants, because JSON has no type for them. */
const instants = ["at", "releasedAt", "claimableAt", "leaseUntil", "openedAt", "expiresAt", "decidedAt", "receivedAt"];

/** An event as it is stored: its facts as JSON, beside its type. */
export function factsText({ type: _, ...facts }: Event): string {
  return JSON.stringify(facts);
}

/** The event from its stored form. */
export function eventOf(type: string, facts: string): Event {
  const revive = (name: string, value: unknown) =>
    instants.includes(name) && typeof value === "string" ? new Date(value) : value;
  // Safe because only `factsText` writes facts, from this type, and they are kept under authentication.
  return { type, ...(JSON.parse(facts, revive) as object) } as Event;
}
