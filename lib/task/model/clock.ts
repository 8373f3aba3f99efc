import { decisionTimes, type DecisionTime } from "./decision-times.ts";
import { dayIn, endOfDay } from "#lib/platform/zoned-time";

/** What is known of a payer's time to decide. */
export type ClockFacts = {
  /** As the route to the payer names it; anything that is not listed counts as unknown. */
  readonly lineOfBusiness: string | undefined;
  readonly urgent: boolean;
  readonly receivedAt: Date;
  /** When the payer decided, or no longer had to. */
  readonly stoppedAt?: Date | undefined;
  /** The IANA time zone whose calendar days are counted. */
  readonly zone: string;
  readonly now: Date;
};

/**
 * A payer's legal time to decide. `dueAt` is the last instant that is still in
 * time, and `remainingMs` is negative once it has passed; both count to the
 * decision where there is one.
 */
export type LegalClock =
  | {
      readonly known: true;
      readonly rule: DecisionTime;
      readonly dueAt: Date;
      readonly overdue: boolean;
      readonly remainingMs: number;
    }
  | { readonly known: false };

const unknown: LegalClock = { known: false };

/**
 * Reads the clock of one request. Hours run by the clock from the receipt; of
 * calendar days the day of receipt does not count and the last one counts to its
 * end. The rule is the one in force on the day of receipt. Nothing stops the
 * clock but the decision: that the payer asks for more does not, and that it has
 * extended its time is not told over any wire.
 */
export function clockOf({ lineOfBusiness, urgent, receivedAt, stoppedAt, zone, now }: ClockFacts): LegalClock {
  const day = dayIn(zone, receivedAt);
  const urgency = urgent ? "expedited" : "standard";
  const rule = decisionTimes.find(
    (row) =>
      row.lineOfBusiness === lineOfBusiness &&
      row.urgency === urgency &&
      row.from <= day &&
      (row.to === undefined || day <= row.to),
  );
  const dueAt = rule && dueUnder(rule, { receivedAt, day, zone });
  if (!rule || !dueAt) return unknown;
  const remainingMs = dueAt.getTime() - (stoppedAt ?? now).getTime();
  return { known: true, rule, dueAt, overdue: remainingMs < 0, remainingMs };
}

type Receipt = { readonly receivedAt: Date; readonly day: string; readonly zone: string };

function dueUnder({ within }: DecisionTime, { receivedAt, day, zone }: Receipt): Date | undefined {
  if ("hours" in within) return new Date(receivedAt.getTime() + within.hours * 60 * 60 * 1000);
  return endOfDay(zone, day, within.calendarDays);
}
