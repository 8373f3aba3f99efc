import { decisionTimes, type DecisionTime } from "./decision-times.ts";
import { dayIn, endOfDay } from "#lib/platform/zoned-time";

/** The facts that a payer's deadline follows from. */
export type ClockFacts = {
  /** As the payer connection names it; anything that is not in the list counts as unknown. */
  readonly lineOfBusiness: string | undefined;
  readonly urgent: boolean;
  readonly receivedAt: Date;
  /** When the payer received the update that made it urgent; undefined where the first request was urgent already. */
  readonly urgentAt?: Date | undefined;
  /** When the payer decided, or no longer had to. */
  readonly stoppedAt?: Date | undefined;
  /** The IANA time zone whose calendar days are counted. */
  readonly zone: string;
  readonly now: Date;
};

/**
 * A payer's legal deadline to decide. `dueAt` is the last instant that is in time. `remainingMs` is negative after it.
 * Both refer to the decision if there is one.
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
 * Computes the deadline of one request. Hours run from the receipt. Of calendar days, the day of receipt does not count
 * and the last one counts to its end. The rule is the one in force on the day of receipt. A request that an update made
 * urgent has the expedited time from the receipt of that update, and no more than it had before. Only the decision stops
 * the clock: a request for information does not, and no wire tells whether the payer has extended its time.
 */
export function clockOf({ urgent, receivedAt, urgentAt, stoppedAt, now, ...of }: ClockFacts): LegalClock {
  const expedited = urgent
    ? deadlineOf({ ...of, urgency: "expedited", receivedAt: urgentAt ?? receivedAt })
    : undefined;
  const standard = !urgent || urgentAt ? deadlineOf({ ...of, urgency: "standard", receivedAt }) : undefined;
  const deadline = expedited && standard && standard.dueAt < expedited.dueAt ? standard : (expedited ?? standard);
  if (!deadline) return unknown;
  const remainingMs = deadline.dueAt.getTime() - (stoppedAt ?? now).getTime();
  return { known: true, ...deadline, overdue: remainingMs < 0, remainingMs };
}

type Deadline = { readonly rule: DecisionTime; readonly dueAt: Date };

function deadlineOf({
  lineOfBusiness,
  urgency,
  receivedAt,
  zone,
}: Pick<ClockFacts, "lineOfBusiness" | "receivedAt" | "zone"> & Pick<DecisionTime, "urgency">): Deadline | undefined {
  const day = dayIn(zone, receivedAt);
  const rule = decisionTimes.find(
    (row) =>
      row.lineOfBusiness === lineOfBusiness &&
      row.urgency === urgency &&
      row.from <= day &&
      (row.to === undefined || day <= row.to),
  );
  const dueAt = rule && dueUnder(rule, { receivedAt, day, zone });
  return rule && dueAt && { rule, dueAt };
}

type Receipt = { readonly receivedAt: Date; readonly day: string; readonly zone: string };

/** Whether a request of this line of business has a deadline that is known here, once the payer has it. */
export function hasDeadline(lineOfBusiness: string | undefined): boolean {
  return decisionTimes.some((row) => row.lineOfBusiness === lineOfBusiness);
}

function dueUnder({ within }: DecisionTime, { receivedAt, day, zone }: Receipt): Date | undefined {
  if ("hours" in within) return new Date(receivedAt.getTime() + within.hours * 60 * 60 * 1000);
  return endOfDay(zone, day, within.calendarDays);
}
