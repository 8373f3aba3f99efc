import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import type { Command } from "#lib/task/model/lifecycle/command";
import { gateOf, stateOf } from "#lib/task/model/task";
import { ok, refuse, type Result } from "#lib/platform/result";
import type { PayerAnswer, PayerResponse } from "#lib/payer/connector";
import { newId } from "#lib/db/new-id";
import type { SubmissionReport } from "#lib/submission/store/save-submission";
import { changeTask, type Change, type TaskChange, type LoadedTask } from "#lib/task/change";
import { reasons } from "#lib/messages/reasons/case";
import { determinationCommand, reusedNumber, type ReusedNumber } from "./determination-command.ts";
import { payerReport } from "./payer-event.ts";
import { nextAttempt, nextPoll, noPoll } from "./polling.ts";
import type { Refusal } from "#lib/task/refusal";

export type RecordedAnswer = {
  readonly taskId: string;
  readonly attempt: number;
  readonly response: PayerResponse<PayerAnswer>;
  /** The payer's host does not answer, so the next attempt waits for the host and not for itself. */
  readonly isHostAway?: boolean | undefined;
  /** Called when the answer is written, before the commit. */
  readonly onWritten?: (() => void) | undefined;
};

/**
 * Records the payer's answer to an attempt. Only the holder of the attempt may record it. Past its lease, or when a
 * later attempt has begun, this is refused as `attempt-superseded` and nothing changes; the payer is then asked.
 */
export async function recordAnswer(
  ctx: Context<WorkerActor>,
  { taskId, attempt, response, isHostAway = false, onWritten }: RecordedAnswer,
): Promise<Result<TaskChange, Refusal>> {
  const decide = async (loaded: LoadedTask): Promise<Result<Change, Refusal>> => {
    const { row, task } = loaded;
    const lapsed = row.lease_until !== null && row.lease_until <= row.now;
    if (lapsed) return refuse({ type: "attempt-superseded", state: stateOf(task) });
    const checked = checkVoidAnswer(response.answer, gateOf(task)?.action === "void");
    const reused = checked.type === "decided" ? await reusedNumber(loaded, checked.determination) : undefined;
    const answer = reused ? unclearAnswer(checked, reused) : checked;
    const id = newId();
    const document = answer.type === "decided" ? answer.determination : undefined;
    const revision = gateOf(task)?.revision;
    const report = payerReport(answer, { via: "answer", id, bytes: response.bytes, revision });
    return ok({
      ...(await answerCommands(loaded, answer, { attempt, id, isHostAway })),
      detail: {
        gateId: row.gate_id,
        gate: row.gate_digest,
        attempt,
        answer: answer.type,
        outcome: document?.outcome ?? null,
        informationRequest: answer.type === "accepted" ? (answer.informationRequest?.items.length ?? null) : null,
        ...(reused ? { sameNumberAs: reused.taskId } : {}),
      },
      writes: { answer: answer.type, reported: reportedBy(answer, row.now), poll: pollAfter(answer, loaded) },
      records: response.bytes || document ? [{ type: "payer-report", report: report }] : [],
    });
  };
  return changeTask(ctx, { taskId, practices: "every" }, decide, { onWritten, isShared: true });
}

/** The answer to a void says whether it is done. Any other answer to a void is not understood. */
function checkVoidAnswer(answer: PayerAnswer, isVoid: boolean): PayerAnswer {
  if (isVoid && (answer.type === "decided" || answer.type === "contact-payer" || answer.type === "unclear")) {
    return { type: "unknown", reason: reasons.voidUnanswered };
  }
  return answer;
}

/** A decision under the number of another case only proves that the payer has the request. */
function unclearAnswer(answer: PayerAnswer, { reason }: ReusedNumber): PayerAnswer {
  const reference = answer.type === "decided" ? answer.determination.reference : undefined;
  return { type: "unclear", reference, reason };
}

async function answerCommands(
  loaded: LoadedTask,
  answer: PayerAnswer,
  { attempt, id, isHostAway }: { attempt: number; id: string; isHostAway: boolean },
): Promise<Pick<Change, "commands" | "prepared">> {
  const { row, task } = loaded;
  const isVoid = gateOf(task)?.action === "void";
  const accepted = (reference: string | undefined) => ({ type: "record-acceptance", attempt, reference }) as const;
  const only = (...commands: Command[]) => ({ commands });
  switch (answer.type) {
    case "accepted":
      // For a void this means that the payer accepted it; `cancelled` means that it is done.
      return only({ ...accepted(answer.reference), pending: isVoid, informationRequest: answer.informationRequest });
    case "decided": {
      const { determination: document } = answer;
      const decided = await determinationCommand(loaded, { id, document, revision: gateOf(task)?.revision });
      return { ...decided, commands: [accepted(answer.determination.reference), ...decided.commands] };
    }
    case "cancelled":
      if (isVoid && task.payer.voided) return only(accepted(answer.reference));
      return only({ ...accepted(answer.reference), pending: isVoid }, { type: "record-payer-void" });
    case "contact-payer":
      return only(accepted(answer.reference), { type: "record-contact-request", text: answer.text });
    case "unclear":
      return only(accepted(answer.reference), { type: "record-unreadable-answer", reason: answer.reason });
    case "rejected": {
      const { correction, reason } = answer;
      const again = task.stage.kind === "submitting" && task.stage.again === true;
      // A refusal before processing says nothing about an earlier copy, which may have arrived.
      if (again && answer.unread) return only({ type: "record-not-sent", attempt, reason, retryAt: row.now });
      const retryAt = nextAttempt(row.now, attempt);
      return only({ type: "record-rejection", attempt, correction, reason, retryAt });
    }
    case "notSent": {
      const retryAt = nextAttempt(row.now, attempt, { retryAfterMs: answer.retryAfterMs, isHostAway });
      return only({ type: "record-not-sent", attempt, reason: answer.reason, retryAt });
    }
    case "unknown":
      return only({ type: "record-unknown-outcome", attempt, reason: answer.reason });
  }
}

/** What the payer says of the submission itself: when it received it, and its reference. */
function reportedBy(answer: PayerAnswer, now: Date): SubmissionReport["reported"] {
  switch (answer.type) {
    case "accepted": {
      const { receivedAt, reference } = answer;
      // A receipt is never later than now.
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

/** An unknown outcome is asked about soon; if it stays unknown, later after each attempt. */
function pollAfter(answer: PayerAnswer, { row, task: { stage } }: LoadedTask) {
  const again = stage.kind === "submitting" && stage.again === true;
  const pollUnknown = (waitMs = 0) => {
    const next = nextPoll(row.now, again ? (row.attempt ?? 1) - 1 : 0);
    return { ...next, at: new Date(Math.max(next.at.getTime(), row.now.getTime() + waitMs)) };
  };
  switch (answer.type) {
    case "accepted":
    case "contact-payer":
    case "unclear":
      return nextPoll(row.now, 0);
    case "unknown":
      return pollUnknown(answer.retryAfterMs);
    case "notSent":
      return again ? pollUnknown() : noPoll;
    case "rejected":
      return again && (answer.correction === "try-again" || answer.unread) ? pollUnknown() : noPoll;
    case "decided":
    case "cancelled":
      return noPoll;
  }
}
