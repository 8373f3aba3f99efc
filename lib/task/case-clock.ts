import { clockOf, type LegalClock } from "#lib/task/model/clock";
import { assert } from "#lib/platform/result";
import type { ReceivedBy } from "#lib/task/model/times";
import { rowToTimes, type RecordRow } from "#lib/task/store/task-rows";

/** A payer's deadline for one case. It runs from the first receipt until the payer has decided or voided it. */
export type CaseClock = {
  readonly startedAt: Date;
  /** Who stated the receipt. `service`: nobody did, and it is when we learned of it. */
  readonly startedBy: ReceivedBy;
  /** When the payer received the update that made the request urgent. */
  readonly urgentAt?: Date | undefined;
  readonly stoppedAt?: Date | undefined;
  /** It was voided before the payer had decided. */
  readonly undecided?: boolean | undefined;
  readonly legal: LegalClock;
};

type ClockRow = Parameters<typeof rowToTimes>[0] &
  Pick<RecordRow, "line_of_business" | "urgent" | "payer_urgent" | "payer_urgent_at" | "time_zone" | "now">;

/** The deadline of a case that the payer has. Undefined for any other. */
export function caseClock(row: ClockRow): CaseClock | undefined {
  const { received, decidedAt, voidedAt } = rowToTimes(row);
  if (!received) return undefined;
  assert(row.time_zone, "the practice is read along with a case that its payer has");
  const stoppedAt = decidedAt ?? voidedAt;
  const urgent = row.payer_urgent ?? row.urgent;
  // The release before leaves the instant where it makes a request standard.
  const urgentAt = urgent ? (row.payer_urgent_at ?? undefined) : undefined;
  const legal = clockOf({
    lineOfBusiness: row.line_of_business ?? undefined,
    urgent,
    receivedAt: received.at,
    urgentAt,
    stoppedAt,
    zone: row.time_zone,
    now: row.now,
  });
  const undecided = !decidedAt && voidedAt !== undefined;
  return {
    startedAt: received.at,
    startedBy: received.by,
    ...(urgentAt ? { urgentAt } : {}),
    stoppedAt,
    ...(undecided ? { undecided } : {}),
    legal,
  };
}
