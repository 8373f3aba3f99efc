import { instantIn, dayIn } from "#lib/platform/zoned-time";
import type { Attention, State } from "#lib/task/model/task";

/** What a snoozed case waits for. Whatever happens to the case wakes it, so this only says what is hoped for. */
export const snoozeWaits = ["time", "payer", "agent"] as const;
export type SnoozeWait = (typeof snoozeWaits)[number];

/** Until when a case can be snoozed; `at` is a time that somebody types. */
export const snoozeChoices = ["4-hours", "24-hours", "tomorrow", "monday", "payer", "agent", "at"] as const;
export type SnoozeChoice = (typeof snoozeChoices)[number];

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** A case wakes this long before anything on it is due, which is what the queue calls near. */
export const nearHours = 4;

/** A case that is late already may rest for a day, so that somebody looks at it every day. */
const lateMs = dayMs;
const eventMs = 7 * dayMs;
export const snoozeDaysMax = 30;

type Facts = { readonly state: State; readonly attention?: Attention | undefined; readonly isPayerLate: boolean };

/** Only what is in To release or Action required can be snoozed: nothing else asks anybody here for anything. */
export function isSnoozable({ state, attention, isPayerLate }: Facts): boolean {
  return state === "transmit-held" || state === "void-held" || attention !== undefined || isPayerLate;
}

export function waitOf(choice: SnoozeChoice): SnoozeWait {
  return choice === "payer" || choice === "agent" ? choice : "time";
}

export type SnoozeInput = {
  readonly choice: SnoozeChoice;
  /** What was typed, by the clocks of `zone`. */
  readonly at?: string | undefined;
  readonly zone: string;
};

type WakeContext = {
  readonly now: Date;
  /** The practice's target, the payer's deadline and the end of the request for release, where there are any. */
  readonly deadlines: readonly Date[];
};

/**
 * When a snoozed case wakes at the latest: as asked, and never later than four hours before a deadline. `near`: that is
 * now. `invalid`: no time, one in the past, or one that is too far away.
 */
export function wakesAt(snooze: SnoozeInput, { now, deadlines }: WakeContext): Date | "near" | "invalid" {
  const wanted = wantedAt(snooze, now);
  if (!wanted || wanted <= now || wanted.getTime() - now.getTime() > snoozeDaysMax * dayMs) return "invalid";
  const latest = deadlines.map((at) => (at <= now ? now.getTime() + lateMs : at.getTime() - nearHours * hourMs));
  const first = Math.min(wanted.getTime(), ...latest);
  return first <= now.getTime() ? "near" : new Date(first);
}

function wantedAt({ choice, at, zone }: SnoozeInput, now: Date): Date | undefined {
  switch (choice) {
    case "4-hours":
      return new Date(now.getTime() + 4 * hourMs);
    case "24-hours":
      return new Date(now.getTime() + dayMs);
    case "tomorrow":
      return morning(zone, now, 1);
    case "monday":
      return morning(zone, now, daysToMonday(zone, now));
    case "payer":
    case "agent":
      return new Date(now.getTime() + eventMs);
    case "at":
      return at === undefined ? undefined : instantIn(zone, at);
  }
}

/** Eight in the morning of a day after today, where the clocks of `zone` are. */
function morning(zone: string, now: Date, days: number): Date | undefined {
  const day = new Date(Date.parse(`${dayIn(zone, now)}T00:00Z`) + days * dayMs).toISOString().slice(0, 10);
  return instantIn(zone, `${day}T08:00`);
}

function daysToMonday(zone: string, now: Date): number {
  const weekday = new Date(`${dayIn(zone, now)}T00:00Z`).getUTCDay();
  return (8 - weekday) % 7 || 7;
}
