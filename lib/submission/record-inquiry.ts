import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import { ok, type Result } from "#lib/platform/result";
import { isAwaited } from "#lib/task/model/task";
import type { PayerResponse, Inquiry } from "#lib/payer/connector";
import { changeTask, unchanged, type TaskChange } from "#lib/task/change";
import { rejectionChange } from "./payer-rejection.ts";
import { unclearChange, unreadableChange, answerChange } from "./payer-report.ts";
import type { Refusal } from "#lib/task/refusal";

/**
 * Records what the payer said when asked. A match settles doubt and moves the
 * case, and so does a refusal of what was sent by the gate `refused`; no match is not proof of absence and moves nothing; a
 * reply that is not understood moves nothing and asks for a person, and so does one that names the request in doubt,
 * which it settles.
 */
export async function recordInquiry(
  ctx: Context<WorkerActor>,
  { taskId, response, refused }: { taskId: string; response: PayerResponse<Inquiry>; refused?: string | undefined },
): Promise<Result<TaskChange, Refusal>> {
  return changeTask(ctx, { taskId, practices: "every" }, async (loaded) => {
    const { task } = loaded;
    const { answer, bytes } = response;
    if (!isAwaited(task) || task.stage.kind === "submitting" || answer.type === "none") return ok(unchanged());
    // Without a reply there is nothing a person could look at; the payer is asked again.
    if (answer.type === "unknown") {
      if (bytes === undefined) return ok(unchanged());
      return ok({ ...unreadableChange(loaded, answer.reason), records: [{ type: "unread-answer", bytes }] });
    }
    const settles = task.stage.kind === "unconfirmed" && task.stage.gate.action === "transmit";
    if (answer.type === "unclear") {
      const unclear = unclearChange(loaded, answer, { via: "inquiry", settles });
      return ok({ ...unclear, records: bytes === undefined ? [] : [{ type: "unread-answer", bytes }] });
    }
    if (answer.type === "rejected")
      return ok(await rejectionChange(loaded, answer, { via: "inquiry", bytes, gateId: refused }));
    return ok(await answerChange(loaded, answer.answer, { via: "inquiry", bytes, settles }));
  });
}
