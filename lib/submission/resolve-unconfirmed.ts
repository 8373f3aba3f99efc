import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { minuteOf } from "#lib/task/model/delivery";
import { ok, refuse, type Result } from "#lib/platform/result";
import { gateOf, stateOf, type State } from "#lib/task/model/task";
import type { PayerInquiryNote } from "#lib/submission/store/payer-inquiry-notes";
import type { TaskRow } from "#lib/task/store/task-rows";
import { changeTask, practicesOf } from "#lib/task/change";
import { refreeze } from "#lib/task/open-revision";
import { caseProblems } from "#lib/messages/problems/reviewer";
import { nextPoll, noPoll } from "./polling.ts";
import type { Refusal } from "#lib/task/refusal";

export type UnconfirmedAnswer = {
  readonly taskId: string;
  readonly gateId: string;
  readonly payerHas: boolean;
  readonly reference?: string | undefined;
  readonly inquiry: PayerInquiryNote;
};

/**
 * A person settles an unknown outcome: the payer confirmed receipt, or it has no record. What did not reach the payer
 * is held again and needs a new release, or waits for the agent if the payer connection has come to need more. Refused as `invalid` if the payer was asked before the submission, or in the
 * future.
 */
export async function resolveUnconfirmed(
  ctx: Context<PersonActor>,
  { taskId, gateId, payerHas, reference, inquiry }: UnconfirmedAnswer,
): Promise<Result<{ state: State }, Refusal>> {
  const changed = await changeTask(ctx, { taskId, practices: practicesOf(ctx) }, async (loaded) => {
    const gate = gateOf(loaded.task);
    if (loaded.task.stage.kind !== "unconfirmed" || gate?.id !== gateId) {
      return refuse({ type: "stale", state: stateOf(loaded.task) });
    }
    const problem = untimely(inquiry.at, loaded.row);
    if (problem) return refuse({ type: "invalid", issues: [{ path: "inquiredAt", problem }] });
    const heldAgain = (gate.action === "transmit") !== payerHas;
    const again = heldAgain ? await refreeze(loaded.tx, loaded.row, { action: gate.action }) : undefined;
    const followed = gate.action === "transmit" && payerHas;
    return ok({
      commands: [{ type: "resolve-unconfirmed", payerHas, reference }],
      prepared: again?.prepared,
      missing: again?.missing,
      detail: { gateId, payerHas, by: inquiry.by, inquiredAt: inquiry.at.toISOString() },
      writes: {
        answer: payerHas ? "settled.has" : "settled.none",
        poll: followed ? nextPoll(loaded.row.now, 0) : noPoll,
      },
      records: [{ type: "inquiry-note", note: { ...inquiry, payerHas } }],
    });
  });
  return changed.ok ? ok({ state: stateOf(changed.value.task) }) : changed;
}

function untimely(at: Date, { now, released_at: releasedAt }: TaskRow): string | undefined {
  if (at > now) return caseProblems.notFuture;
  return releasedAt && at < minuteOf(releasedAt) ? caseProblems.notBeforeRelease : undefined;
}
