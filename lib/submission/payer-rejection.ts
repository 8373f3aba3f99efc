import { hasOpenVoid, isDecided } from "#lib/task/model/task";
import type { Rejection } from "#lib/payer/connector";
import { loadSubmission, loadSentGate } from "#lib/gate/shared/gates";
import { tryChange, unchanged, type Change, type LoadedTask } from "#lib/task/change";
import { reasons } from "#lib/messages/reasons/case";
import { isReportKnown, type ResponseOrigin, type PayerReport } from "./payer-event.ts";
import { voidGateAgain } from "./determination-command.ts";
import { unreadableChange } from "./payer-report.ts";
import { nextPoll, noPoll } from "./polling.ts";

type SubmissionRecord = NonNullable<Awaited<ReturnType<typeof loadSubmission>>>;

/** How a rejection came, and the gate of the submission that it rejects. */
export type RejectionOrigin = ResponseOrigin & { readonly gateId: string | undefined };

/**
 * What follows when the payer rejects what it had accepted. Only a rejection of the last request, or of a void that is
 * not done, changes the case. The same rejection again changes nothing.
 */
export async function rejectionChange(
  loaded: LoadedTask,
  rejection: Rejection,
  { via, bytes, gateId }: RejectionOrigin,
): Promise<Change> {
  const { tx, row } = loaded;
  const place = { taskId: row.id, practiceId: row.practice_id };
  const refused = gateId === undefined ? undefined : await loadSubmission(tx, { gateId, ...place });
  if (!refused || refused.result === "refused") return unchanged();
  const report = reportOf(rejection, { via, bytes, gateId });
  if (await isReportKnown(loaded, report)) return unchanged();
  const change =
    refused.action === "void"
      ? voidRefused(loaded, rejection, refused)
      : await requestRejected(loaded, rejection, { ...refused, standing: (await loadSentGate(tx, place))?.id });
  if (!change) {
    const unread = unreadableChange(loaded, reasons.refusesFollowedRequest);
    return { ...unread, records: bytes ? [{ type: "unread-answer", bytes }] : [] };
  }
  return {
    ...change,
    detail: { ...change.detail, gateId: refused.gateId, via },
    records: [{ type: "payer-report", report: report }],
  };
}

function voidRefused({ row, task }: LoadedTask, { reason }: Rejection, refused: SubmissionRecord): Change | undefined {
  if (!hasOpenVoid(task) || row.gate_id !== refused.gateId) return undefined;
  return {
    commands: [{ type: "record-void-refusal", gateId: refused.gateId, reason }],
    writes: { poll: isDecided(task.payer) ? noPoll : nextPoll(row.now, 0) },
  };
}

async function requestRejected(
  loaded: LoadedTask,
  { correction, reason }: Rejection,
  { gateId, isUpdate: update, standing }: SubmissionRecord & { readonly standing: string | undefined },
): Promise<Change | undefined> {
  if (gateId !== standing) return undefined;
  const { row } = loaded;
  const before = update ? await receivedBefore(loaded, gateId) : undefined;
  const earlierUpdate = before?.isUpdate ? before.revision : undefined;
  const change: Change = {
    commands: [{ type: "record-payer-rejection", gateId, correction, reason, update, earlierUpdate }],
    prepared: update ? await voidGateAgain(loaded, before?.revision) : undefined,
    detail: { correction, update },
  };
  const tried = tryChange(loaded, change);
  const counts = tried.ok && tried.value.events.some((event) => event.type === "payer.rejected" && event.counts);
  return counts ? { ...change, writes: { poll: update ? nextPoll(row.now, row.inquiries ?? 0) : noPoll } } : change;
}

/** What the payer received last before this gate's. */
async function receivedBefore({ tx, row }: LoadedTask, gateId: string) {
  const of = { taskId: row.id, practiceId: row.practice_id };
  const { revision } = await tx.gate.findFirstOrThrow({ where: { ...of, id: gateId }, select: { revision: true } });
  return tx.gate.findFirst({
    where: { ...of, action: "transmit", revision: { lt: revision }, transmission: { result: "received" } },
    orderBy: { openedAt: "desc" },
    select: { revision: true, isUpdate: true },
  });
}

/**
 * If the payer dates its rejection, it says the same thing however often it comes. If not, each rejected request counts
 * separately.
 */
function reportOf({ reason, at }: Rejection, { via, bytes, gateId }: RejectionOrigin): PayerReport {
  const content = at ? { reason, at: at.toISOString() } : { reason, gateId };
  return { kind: `${via}.rejected`, bytes, content, at };
}
