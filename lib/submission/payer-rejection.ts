import { fitsRefusal } from "#lib/task/model/step";
import { hasOpenVoid } from "#lib/task/model/task";
import type { Rejection } from "#lib/payer/connector";
import { loadSubmission, loadSentGate } from "#lib/gate/store/gates";
import type { Change, LoadedTask } from "#lib/task/change";
import {
  saveReport,
  keepUnread,
  isReportKnown,
  voidGateAgain,
  type ResponseOrigin,
  type PayerReport,
} from "./payer-event.ts";
import { unreadableChange } from "./payer-report.ts";
import { nextPoll, noPoll } from "./polling.ts";

type Left = NonNullable<Awaited<ReturnType<typeof loadSubmission>>>;

/** How a refusal was heard, and by which gate what it refuses had left. */
export type RejectionOrigin = ResponseOrigin & { readonly gateId: string | undefined };

/**
 * What it changes that the payer will not have what it had taken. Only a
 * refusal of what stands moves the case: of the request it was last sent, or
 * of the void it has not done. The same again changes nothing.
 */
export async function rejectionChange(
  loaded: LoadedTask,
  rejection: Rejection,
  { way, bytes, gateId }: RejectionOrigin,
): Promise<Change | "nothing"> {
  const { tx, row } = loaded;
  const place = { taskId: row.id, practiceId: row.practice_id };
  const refused = gateId === undefined ? undefined : await loadSubmission(tx, { gateId, ...place });
  if (!refused || refused.result === "refused") return "nothing";
  const said = saidOf(rejection, { way, bytes, gateId });
  if (await isReportKnown(loaded, said)) return "nothing";
  const change =
    refused.action === "void"
      ? voidRefused(loaded, rejection, refused)
      : await requestRejected(loaded, rejection, { ...refused, standing: (await loadSentGate(tx, place))?.id });
  if (change === "nothing" && bytes) await keepUnread(loaded, bytes);
  if (change === "nothing") return unreadableChange(loaded, "The payer refuses what another request has followed.");
  return {
    ...change,
    detail: { ...change.detail, gateId: refused.gateId, way },
    alongside: async () => {
      await saveReport(loaded, said);
      return true;
    },
  };
}

function voidRefused({ row, task }: LoadedTask, { reason }: Rejection, refused: Left): Change | "nothing" {
  if (!hasOpenVoid(task) || row.gate_id !== refused.gateId) return "nothing";
  return {
    events: [{ type: "void-refused", reason }],
    act: "payer.void-refused",
    writes: { poll: row.determination_id ? noPoll : nextPoll(row.now, 0) },
  };
}

async function requestRejected(
  loaded: LoadedTask,
  { correction, reason }: Rejection,
  { gateId, isUpdate: update, standing }: Left & { readonly standing: string | undefined },
): Promise<Change | "nothing"> {
  if (gateId !== standing) return "nothing";
  const { row, task } = loaded;
  const { gate, frozen } = update ? await voidGateAgain(loaded) : { gate: undefined, frozen: [] };
  const doubted = task.motion.kind === "unconfirmed" && task.motion.gate.id === gateId;
  const told = doubted ? { answer: "rejected" } : { refused: gateId };
  const poll = update ? nextPoll(row.now, row.polls) : noPoll;
  return {
    events: [{ type: "payer-rejected", correction, reason, update, gate }],
    act: "payer.rejected",
    detail: { correction, update },
    frozen,
    writes: fitsRefusal(task, update) ? { ...told, poll } : {},
  };
}

/** A payer that says when it refused says one thing however often; where it does not, each request is refused for itself. */
function saidOf({ reason, at }: Rejection, { way, bytes, gateId }: RejectionOrigin): PayerReport {
  const word = at ? { reason, at: at.toISOString() } : { reason, gateId };
  return { kind: `${way}.rejected`, bytes, word, at };
}
