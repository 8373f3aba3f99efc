import type { Delivery } from "#lib/task/model/delivery";
import { submissionOutcome, type SubmissionResult } from "#lib/task/model/submission-outcome";
import type { Task } from "#lib/task/model/task";
import type { Tx } from "#lib/db/db";
import { sealText, type Sealer } from "#lib/db/seal";
import { submissionReasonPlace, sentToPlace } from "./submissions.ts";
import type { TaskRow } from "#lib/task/store/task-rows";

type Where = { readonly tx: Tx; readonly sealer: Sealer; readonly row: TaskRow };

/** What the payer answered to a sending, and what was told of it beside. */
export type SubmissionReport = {
  readonly answer?: string | undefined;
  /** The gate of what the payer had taken and will not have after all. */
  readonly refused?: string | undefined;
  readonly told?:
    | {
        /** When it left, by the person who carried it. */
        readonly sentAt?: Date | undefined;
        /** When the payer received it. */
        readonly received?: { readonly at: Date; readonly by: "payer" | "person" } | undefined;
        /** The payer's own reference for this very action. */
        readonly reference?: string | undefined;
        /** By a person, where no wire carried it. */
        readonly carried?: ManualDelivery | undefined;
      }
    | undefined;
};

/** How an action was carried by hand, by whom, and to whom or where. */
export type ManualDelivery = {
  readonly delivery: Delivery;
  readonly personId: string;
  readonly to?: string | undefined;
};

/** What a change tells of the action that was under way: when it left, where that is new, and what became of it. */
export type SubmissionUpdate = { readonly leftAt: Date | undefined; readonly result: SubmissionResult };

export function submissionUpdate(
  row: TaskRow,
  task: Task,
  { answer, told }: SubmissionReport,
): SubmissionUpdate | undefined {
  if (!row.gate_action) return undefined;
  const before = { motion: row.motion, action: row.gate_action, started: row.started_at !== null };
  const sent = submissionOutcome(before, task, answer);
  if (!sent) return undefined;
  const said = told?.sentAt && told.sentAt < row.now ? told.sentAt : undefined;
  return { leftAt: sent.left ? (said ?? row.started_at ?? row.now) : undefined, result: sent.result };
}

const underWay = ["released", "sending", "unconfirmed"];

/** The transmission row follows the motion: one per released gate, for as long as it is under way. */
export async function saveTransmission(
  { tx, sealer, row }: Where,
  task: Task,
  { sending, ...heard }: SubmissionReport & { readonly sending: SubmissionUpdate | undefined },
): Promise<void> {
  const { motion } = task;
  const under = motion.kind === "released" || motion.kind === "sending" || motion.kind === "unconfirmed";
  const goesOn = under && motion.gate.id === row.gate_id;
  const outcome = sending ? outcomeOf({ tx, sealer, row }, task, { ...heard, sending }) : {};
  if (row.gate_id && underWay.includes(row.motion) && !goesOn) {
    await tx.transmission.update({
      where: { gateId: row.gate_id },
      data: { phase: "done", leaseUntil: null, answeredAt: row.now, answer: heard.answer ?? null, ...outcome },
    });
  }
  if (row.gate_id && row.void_pending && !task.payer.voidPending && !task.payer.voided) {
    const refusal = { result: "refused", reason: refusalOf({ sealer, row }, task) };
    await tx.transmission.update({ where: { gateId: row.gate_id }, data: { answeredAt: row.now, ...refusal } });
  }
  if (heard.refused !== undefined) {
    const reason = refusalOf({ sealer, row, gateId: heard.refused }, task);
    const refusal = { answer: "rejected", answeredAt: row.now, result: "refused", reason };
    await tx.transmission.update({ where: { gateId: heard.refused }, data: refusal });
  }
  if (!under) return;
  const { gate } = motion;
  const state = {
    phase: motion.kind,
    attempt: motion.attempt,
    claimableAt: motion.kind === "released" ? motion.claimableAt : (row.claimable_at ?? row.now),
    leaseUntil: motion.kind === "sending" ? (motion.leaseUntil ?? null) : null,
    startedAt: startedAt(row, task),
    ...(heard.answer ? { answer: heard.answer } : {}),
    ...outcome,
  };
  const { action, byHand } = gate;
  const named = { gateId: gate.id, taskId: row.id, practiceId: row.practice_id, action, byHand };
  await tx.transmission.upsert({
    where: { gateId: gate.id },
    update: state,
    create: { ...state, ...named, releasedAt: motion.releasedAt },
  });
}

function startedAt(row: TaskRow, { motion }: Task): Date | null {
  if (motion.kind === "sending") return motion.started ? (row.started_at ?? row.now) : null;
  return motion.kind === "unconfirmed" ? (row.started_at ?? row.now) : null;
}

function outcomeOf(where: Where, task: Task, { sending, told }: SubmissionReport & { sending: SubmissionUpdate }) {
  const { leftAt, result } = sending;
  const ofCase = where.row.gate_action === "transmit" && result === "received" ? task.payer.reference : undefined;
  const reference = told?.reference ?? ofCase;
  return {
    result,
    ...(leftAt ? { sentAt: leftAt } : {}),
    ...(reference === undefined ? {} : { reference }),
    ...(result === "refused" ? { reason: refusalOf(where, task) } : {}),
    ...(told?.carried ? carriedData(where, told.carried) : {}),
  };
}

function carriedData({ sealer, row }: Where, { delivery, personId, to }: ManualDelivery) {
  const place = row.gate_id && sentToPlace(row.gate_id, row.practice_id);
  return { delivery, sentBy: personId, ...(to && place ? { sentTo: sealText(sealer, to, place) } : {}) };
}

/** Why the payer would not take it, in the words the task goes on with. */
function refusalOf(
  { sealer, row, gateId = row.gate_id }: Pick<Where, "sealer" | "row"> & { gateId?: string | null },
  { remark }: Task,
): Uint8Array<ArrayBuffer> | null {
  if (remark?.by !== "payer" || !gateId) return null;
  return sealText(sealer, remark.text, submissionReasonPlace(gateId, row.practice_id));
}
