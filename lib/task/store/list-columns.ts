import { clockOf } from "#lib/task/model/clock";
import { attentionOf, stateOf, type Task } from "#lib/task/model/task";
import type { Times } from "#lib/task/model/times";
import type { Tx } from "#lib/db/db";
import type { Sealer } from "#lib/db/seal";
import { rowToTask, type TaskRow } from "./task-rows.ts";

type Where = { readonly tx: Tx; readonly sealer: Sealer; readonly row: TaskRow };

type Written = {
  readonly times: Times;
  readonly opened: { readonly frozen: { readonly dueAt: Date } } | undefined;
  readonly revision?: { readonly payerId: string; readonly urgent: boolean } | undefined;
};

const hourMs = 60 * 60 * 1000;

/** What lists go by, as it follows from the task about to be written over this row. */
export async function listColumns(where: Where, task: Task, written: Written) {
  return {
    state: stateOf(task),
    needsPerson: attentionOf(task) ?? null,
    dueAt: await dueAfter(where, task, written),
    payerDueAt: await payerDueAfter(where, written),
  };
}

/** A gate is due from its opening, or a recall's from the first; what else needs a person, from when it first did. */
async function dueAfter({ tx, sealer, row }: Where, task: Task, { opened, revision }: Written): Promise<Date | null> {
  const state = stateOf(task);
  if (state === "transmit-held" || state === "void-held") return opened?.frozen.dueAt ?? row.due_at;
  const attention = attentionOf(task);
  if (!attention) return null;
  if (row.due_at && attentionOf(rowToTask(row, sealer)) === attention) return row.due_at;
  const practice = await tx.practice.findUniqueOrThrow({ where: { id: row.practice_id } });
  const targetH = (revision?.urgent ?? row.urgent) ? practice.urgentTargetH : practice.standardTargetH;
  return new Date(row.now.getTime() + targetH * hourMs);
}

async function payerDueAfter(where: Where, { times, revision }: Written): Promise<Date | null> {
  const { row } = where;
  const { received, decidedAt, voidedAt } = times;
  if (!received || decidedAt || voidedAt) return null;
  const clock = clockOf({
    ...(await clockFacts(where, revision?.payerId ?? row.payer_id)),
    urgent: revision?.urgent ?? row.urgent,
    receivedAt: received.at,
    now: row.now,
  });
  return clock.known ? clock.dueAt : null;
}

/** They were read along with a case that its payer had already. */
async function clockFacts({ tx, row }: Where, payerId: string): Promise<{ zone: string; lineOfBusiness: string }> {
  const { practice_id: practiceId, time_zone: known } = row;
  if (known !== null && payerId === row.payer_id) return { zone: known, lineOfBusiness: row.line_of_business ?? "" };
  const { timeZone } = await tx.practice.findUniqueOrThrow({ where: { id: practiceId } });
  const route = await tx.route.findFirst({ where: { practiceId, payerId }, orderBy: { version: "desc" } });
  return { zone: timeZone, lineOfBusiness: route?.lineOfBusiness ?? "" };
}
