import { lastReceivedRevision } from "#lib/gate/shared/gates";
import type { Event } from "#lib/task/model/lifecycle/event";
import { isUrgent } from "#lib/task/model/service-review";
import { clamp, type LearnedTimes, type Times } from "#lib/task/model/times";
import { loadRevision, type LoadedTask } from "./load-task.ts";

export type UrgencyFacts = {
  readonly events: readonly Event[];
  readonly times: Times;
  readonly reported?: Pick<LearnedTimes, "received"> | undefined;
  /** When what the events tell of was submitted. */
  readonly leftAt?: Date | undefined;
  /** What is asked for from now on. */
  readonly revision?: unknown;
};

type Urgency = { readonly urgent: boolean | null; readonly since: Date | null };

/**
 * Whether what the payer has is urgent, and since which update if its first request was not: as it was when the payer
 * received it, whatever was asked for since, and as it was before an update that the payer then rejects. Its legal time is
 * that of its first decision, so what it receives after that changes nothing.
 */
export async function payersUrgency(where: LoadedTask, facts: UrgencyFacts): Promise<Urgency> {
  const { row } = where;
  const { urgent, now, payer_urgent: known, payer_urgent_at: since } = row;
  const { events, times, reported, leftAt, revision } = facts;
  if (!times.received) return { urgent: null, since: null };
  if (row.decided_at !== null) return { urgent: known, since };
  if (row.payer_received_at === null) return { urgent, since: null };
  const rejected = events.find((event) => event.type === "payer.rejected" && event.counts);
  if (rejected?.type === "payer.rejected")
    return goesBack({ urgent: known, since }, await receivedUrgency(where, rejected.gateId));
  const isReceived = events.some(({ type }) => type === "transmission.received");
  if (!isReceived && !revision) return { urgent: known, since };
  // Of what the payer received before there was this column, its revision says it.
  const before = known ?? (await receivedUrgency(where));
  if (!isReceived) return { urgent: before, since };
  if (!urgent) return { urgent, since: null };
  const at = clamp(reported?.received?.at ?? now, leftAt, now);
  return { urgent, since: before === false ? at : since };
}

function goesBack({ urgent, since }: Urgency, kept: boolean | null): Urgency {
  return { urgent: kept ?? urgent, since: (kept ?? urgent) ? since : null };
}

/** Whether the last request that the payer received, but this gate's, is urgent; null where none is known to have been. */
async function receivedUrgency({ tx, row }: LoadedTask, except?: string): Promise<boolean | null> {
  const of = { taskId: row.id, practiceId: row.practice_id };
  const number = await lastReceivedRevision(tx, { ...of, except });
  return number === undefined ? null : isUrgent((await loadRevision(tx, { ...of, number })).review);
}
