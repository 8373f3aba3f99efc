import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import { ok, type Result } from "#lib/platform/result";
import { isAwaited } from "#lib/task/model/task";
import type { PayerResponse, Inquiry } from "#lib/payer/connector";
import { changeTask, unchanged, type TaskChange } from "#lib/task/change";
import { rejectionChange } from "./payer-rejection.ts";
import { unclearChange, unreadableChange, answerChange } from "./payer-report.ts";
import type { Refusal } from "#lib/task/refusal";

export type RecordedInquiry = {
  readonly taskId: string;
  readonly response: PayerResponse<Inquiry>;
  /** The gate of the submission that the payer answers. */
  readonly ofGate?: string | undefined;
  /** The gate of the last submission when the payer was asked, and whether its outcome was unknown. */
  readonly about?: { readonly gateId: string; readonly isUnconfirmed: boolean } | undefined;
};

/**
 * Records the payer's answer to an inquiry. A match settles an unknown outcome and updates the case; so does a
 * rejection of what was submitted. No match is no proof of absence and changes nothing. An answer that is
 * not understood changes nothing and is for a person to look at; if it names the request of unknown outcome, it also
 * settles that. `about` is what the payer was asked about: what was submitted while it answered is not settled by it. If
 * absent, nothing was.
 */
export async function recordInquiry(
  ctx: Context<WorkerActor>,
  { taskId, response, ofGate, about }: RecordedInquiry,
): Promise<Result<TaskChange, Refusal>> {
  return changeTask(ctx, { taskId, practices: "every" }, async (loaded) => {
    const { task } = loaded;
    const { answer, bytes } = response;
    if (!isAwaited(task) || task.stage.kind === "submitting" || answer.type === "none") return ok(unchanged());
    // Without a reply there is nothing to look at; the payer is asked again.
    if (answer.type === "unknown") {
      if (bytes === undefined) return ok(unchanged());
      return ok({ ...unreadableChange(loaded, answer.reason), records: [{ type: "unread-answer", bytes }] });
    }
    const { stage } = task;
    const isAbout = !about || (about.isUnconfirmed && "gate" in stage && about.gateId === stage.gate.id);
    const settles = stage.kind === "unconfirmed" && stage.gate.action === "transmit" && isAbout;
    if (answer.type === "unclear") {
      const unclear = unclearChange(loaded, answer, { via: "inquiry", settles });
      return ok({ ...unclear, records: bytes === undefined ? [] : [{ type: "unread-answer", bytes }] });
    }
    if (answer.type === "rejected")
      return ok(await rejectionChange(loaded, answer, { via: "inquiry", bytes, gateId: ofGate }));
    const { isNamed } = answer;
    return ok(await answerChange(loaded, answer.answer, { via: "inquiry", bytes, settles, ofGate, isNamed }));
  });
}
