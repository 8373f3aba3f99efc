import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import type { Event } from "#lib/task/model/event";
import { gateOf, stateOf } from "#lib/task/model/task";
import { ok, refuse, type Result } from "#lib/platform/result";
import type { PayerAnswer, PayerResponse } from "#lib/payer/connector";
import type { TaskAct } from "#lib/audit/store/audit";
import { newId } from "#lib/db/new-id";
import type { SubmissionReport } from "#lib/submission/store/save-submission";
import { crashPoint } from "#lib/platform/process/crash-point";
import { changeTask, type TaskChange, type LoadedTask } from "#lib/task/change";
import { decidedEvent, saveReport, payerReport } from "./payer-event.ts";
import { nextAttempt, nextPoll, noPoll } from "./polling.ts";
import type { Refusal } from "#lib/task/refusal";

export type RecordedAnswer = {
  readonly taskId: string;
  readonly attempt: number;
  readonly heard: PayerResponse<PayerAnswer>;
};

/**
 * Records what the payer answered to an attempt. Only the holder of the attempt
 * is heard; past its lease, or when a later one holds it, this is
 * `attempt-superseded` and nothing changes: the payer is asked instead.
 */
export async function recordAnswer(
  ctx: Context<WorkerActor>,
  { taskId, attempt, heard }: RecordedAnswer,
): Promise<Result<TaskChange, Refusal>> {
  return changeTask(ctx, { taskId, practices: "every" }, async (loaded) => {
    const { row, task } = loaded;
    const lapsed = row.lease_until !== null && row.lease_until <= row.now;
    if (lapsed) return refuse({ type: "attempt-superseded", state: stateOf(task) });
    const answer = understood(heard.answer, gateOf(task)?.action === "void");
    const id = newId();
    const { events, frozen } = await answerEvents(loaded, answer, { attempt, id });
    const document = answer.type === "decided" ? answer.determination : undefined;
    const said = payerReport(answer, { way: "answer", id, bytes: heard.bytes });
    return ok({
      events,
      act: actOf[answer.type],
      detail: {
        gateId: row.gate_id,
        gate: row.gate_digest,
        attempt,
        answer: answer.type,
        outcome: document?.outcome ?? null,
        wants: answer.type === "accepted" ? (answer.wants?.items.length ?? null) : null,
      },
      frozen,
      writes: { answer: answer.type, told: toldBy(answer, row.now), poll: pollAfter(answer, loaded) },
      alongside: async () => {
        if (heard.bytes || document) await saveReport(loaded, said);
        crashPoint("recording");
        return true;
      },
    });
  });
}

/** A void is answered by its being done or not; anything else to a void is not understood. */
function understood(answer: PayerAnswer, isVoid: boolean): PayerAnswer {
  if (isVoid && (answer.type === "decided" || answer.type === "contact-payer" || answer.type === "unclear")) {
    return { type: "unknown", reason: "The payer's reply to the void does not say whether it was done." };
  }
  return answer;
}

const actOf = {
  accepted: "transmission.accepted",
  decided: "payer.decided",
  cancelled: "payer.voided",
  "contact-payer": "payer.asks-contact",
  unclear: "payer.unreadable",
  rejected: "transmission.rejected",
  notSent: "transmission.not-sent",
  unknown: "transmission.doubted",
} as const satisfies Record<PayerAnswer["type"], TaskAct>;

async function answerEvents(loaded: LoadedTask, answer: PayerAnswer, { attempt, id }: { attempt: number; id: string }) {
  const { row, task } = loaded;
  const only = (...events: Event[]) => ({ events, frozen: [] });
  const isVoid = gateOf(task)?.action === "void";
  switch (answer.type) {
    case "accepted":
      // Of a void this says that the payer took it; that it is done is said by `cancelled`.
      return only(
        { type: "accepted", attempt, reference: answer.reference, pending: isVoid },
        ...(answer.wants && !isVoid ? [{ type: "payer-wants", wants: answer.wants } as const] : []),
      );
    case "decided": {
      const { event, frozen } = await decidedEvent(loaded, id, answer.determination);
      return {
        events: [{ type: "accepted", attempt, reference: answer.determination.reference }, event] as Event[],
        frozen,
      };
    }
    case "cancelled": {
      const accepted = { type: "accepted", attempt, reference: answer.reference } as const;
      return isVoid ? only(accepted) : only(accepted, { type: "payer-voided" });
    }
    case "contact-payer":
      return only(
        { type: "accepted", attempt, reference: answer.reference },
        { type: "payer-asks-contact", text: answer.text },
      );
    case "unclear":
      return only(
        { type: "accepted", attempt, reference: answer.reference },
        { type: "unreadable", reason: answer.reason },
      );
    case "rejected": {
      const { correction, reason } = answer;
      const again = task.motion.kind === "sending" && task.motion.again === true;
      // What was turned away at the door leaves open whether the earlier copy arrived.
      if (again && answer.unread) return only({ type: "not-sent", attempt, reason, retryAt: row.now });
      return only({ type: "rejected", attempt, correction, reason, retryAt: nextAttempt(row.now, attempt, undefined) });
    }
    case "notSent": {
      const retryAt = nextAttempt(row.now, attempt, answer.retryAfterMs);
      return only({ type: "not-sent", attempt, reason: answer.reason, retryAt });
    }
    case "unknown":
      return only({ type: "doubted", attempt, reason: answer.reason });
  }
}

/** What the payer said of the sending itself: when it received it, and how it calls it. */
function toldBy(answer: PayerAnswer, now: Date): SubmissionReport["told"] {
  switch (answer.type) {
    case "accepted": {
      const { receivedAt, reference } = answer;
      // Nobody received it after they said so.
      const at = receivedAt && receivedAt > now ? now : receivedAt;
      return { received: at && { at, by: "payer" }, reference };
    }
    case "cancelled":
    case "contact-payer":
    case "unclear":
      return { reference: answer.reference };
    case "decided":
      return { reference: answer.determination.reference };
    case "rejected":
    case "notSent":
    case "unknown":
      return undefined;
  }
}

/** What is in doubt is asked about soon; what stays so, the later the oftener it was sent. */
function pollAfter(answer: PayerAnswer, { row, task: { motion } }: LoadedTask) {
  const again = motion.kind === "sending" && motion.again === true;
  const doubted = (waitMs = 0) => {
    const next = nextPoll(row.now, again ? (row.attempt ?? 1) - 1 : 0);
    return { ...next, at: new Date(Math.max(next.at.getTime(), row.now.getTime() + waitMs)) };
  };
  switch (answer.type) {
    case "accepted":
    case "contact-payer":
    case "unclear":
      return nextPoll(row.now, 0);
    case "unknown":
      return doubted(answer.retryAfterMs);
    case "notSent":
      return again ? doubted() : noPoll;
    case "rejected":
      return again && (answer.correction === "try-again" || answer.unread) ? doubted() : noPoll;
    case "decided":
    case "cancelled":
      return noPoll;
  }
}
