import { clockOf } from "#lib/task/model/clock";
import { dueAfter } from "#lib/task/model/times";
import { attentionOf, gateOf, isContestable, openRecourse, stateOf, type Task } from "#lib/task/model/task";
import { endOfDay } from "#lib/platform/zoned-time";
import type { Tx } from "#lib/db/db";
import { type LoadedTask, loadRevision } from "./load-task.ts";
import { payersUrgency, type UrgencyFacts } from "./payers-urgency.ts";

type SavedFacts = UrgencyFacts & {
  readonly opened: { readonly frozen: { readonly dueAt: Date } } | undefined;
  readonly revision?: { readonly urgent: boolean } | undefined;
  /** The payer id of the connection the request goes over from now on. */
  readonly connection: string;
};

const hourMs = 60 * 60 * 1000;

/** What lists go by, as it follows from the task about to be written over this row. */
export async function listColumns(where: LoadedTask, task: Task, written: SavedFacts) {
  const urgency = await payersUrgency(where, written);
  return {
    state: stateOf(task),
    needsPerson: attentionOf(task) ?? null,
    dueAt: await dueAt(where, task, written),
    payerDueAt: await payerDueAfter(where, written, urgency),
    payerUrgent: urgency.urgent,
    payerUrgentAt: urgency.since,
    recourseOpen: openRecourse(task) !== undefined,
    actBy: await actBy(where, task),
  };
}

/** By when to act on a determination against the request: the payer's last day, or what is scheduled before that. */
async function actBy({ tx, row }: LoadedTask, task: Task): Promise<Date | null> {
  const { terms, peerToPeer } = openRecourse(task) ?? {};
  const scheduled = peerToPeer?.status === "scheduled" ? peerToPeer.at : undefined;
  const zone = async () => row.time_zone ?? (await timeZoneOf(tx, row.practice_id));
  const last = terms?.by === undefined ? undefined : endOfDay(await zone(), terms.by, 0);
  const [first] = [scheduled, last]
    .filter((at) => at !== undefined)
    .toSorted((one, other) => one.getTime() - other.getTime());
  return first ?? null;
}

async function timeZoneOf(tx: Tx, practiceId: string): Promise<string> {
  return (await tx.practice.findUniqueOrThrow({ where: { id: practiceId } })).timeZone;
}

/**
 * By when a person must have acted, with the practice's target read where a need begins; for an appeal no later than the
 * payer's last day.
 */
async function dueAt(where: LoadedTask, task: Task, { events, opened, revision }: SavedFacts): Promise<Date | null> {
  const { tx, row } = where;
  const before = { task: where.task, due: row.due_at ?? undefined };
  const due = dueAfter(before, events, { gateDueAt: opened?.frozen.dueAt });
  if (due !== "from-now") return due ?? null;
  const practice = await tx.practice.findUniqueOrThrow({ where: { id: row.practice_id } });
  const targetH = (revision?.urgent ?? row.urgent) ? practice.urgentTargetH : practice.standardTargetH;
  const target = new Date(row.now.getTime() + targetH * hourMs);
  const last = await lastDayOfAppeal(where, task);
  return last && last < target ? last : target;
}

/** The end of the payer's last day, where what is on its way to the payer is an appeal. */
async function lastDayOfAppeal({ tx, row }: LoadedTask, task: Task): Promise<Date | undefined> {
  const by = task.payer.recourse?.terms?.by;
  const gate = gateOf(task);
  if (by === undefined || gate?.action !== "transmit" || !isContestable(task.payer)) return undefined;
  const { practice_id: practiceId } = row;
  const { review } = await loadRevision(tx, { taskId: row.id, number: gate.revision, practiceId });
  return review.appeal && endOfDay(row.time_zone ?? (await timeZoneOf(tx, practiceId)), by, 0);
}

async function payerDueAfter(
  where: LoadedTask,
  { times, connection }: SavedFacts,
  { urgent, since }: Awaited<ReturnType<typeof payersUrgency>>,
): Promise<Date | null> {
  const { row } = where;
  const { received, decidedAt, voidedAt } = times;
  if (!received || decidedAt || voidedAt) return null;
  const clock = clockOf({
    ...(await clockFacts(where, connection)),
    urgent: urgent ?? row.urgent,
    receivedAt: received.at,
    urgentAt: since ?? undefined,
    now: row.now,
  });
  return clock.known ? clock.dueAt : null;
}

/** They were read along with a case that its payer had already. */
async function clockFacts({ tx, row }: LoadedTask, payerId: string): Promise<{ zone: string; lineOfBusiness: string }> {
  const { practice_id: practiceId, time_zone: known } = row;
  if (known !== null && payerId === (row.route_payer_id ?? row.payer_id))
    return { zone: known, lineOfBusiness: row.line_of_business ?? "" };
  const timeZone = await timeZoneOf(tx, practiceId);
  const route = await tx.route.findFirst({ where: { practiceId, payerId }, orderBy: { version: "desc" } });
  return { zone: timeZone, lineOfBusiness: route?.lineOfBusiness ?? "" };
}
