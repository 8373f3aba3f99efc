import type { ChannelActor } from "#lib/access/model/actor";
import type { Attachment } from "#lib/task/model/attachment";
import { loadAttachments } from "#lib/task/store/attachments";
import type { Store } from "#lib/db/db";
import { loadDeterminations } from "#lib/task/store/case";
import type { SealedMessage } from "#lib/task/store/messages";
import { gateReason } from "#lib/gate/shared/gates";
import { rowToDetermination, rowToTask, type RecordRow } from "#lib/task/store/task-rows";
import { caseClock } from "./case-clock.ts";
import { historyLengthMax, messageHistory } from "./message-history.ts";
import { chooseRoute } from "#lib/practice/shared/resolved-route";
import { submissionViews } from "#lib/submission/submission-views";
import { superseded } from "./superseded.ts";
import { type Advice, adviceOn, payerWarnings } from "./advice.ts";
import { besideOf } from "./beside.ts";
import type { ServiceReview } from "#lib/task/model/service-review";
import { loadRevision } from "#lib/task/store/load-task";
import type { TaskRecord } from "./views.ts";

type WantedHistory = {
  /** The most messages; none if absent. */
  readonly historyLength?: number;
  /** Only messages after the one in this row. */
  readonly historyAfter?: string | undefined;
  /** The messages, if they were read together with the task. */
  readonly history?: readonly SealedMessage[] | undefined;
  /** The review of the current revision, if it is at hand. */
  readonly review?: ServiceReview | undefined;
  /** Whether to give advice even if nothing is missing. */
  readonly isAdvised?: boolean | undefined;
  /** The channel that reads it, for advice. */
  readonly reader?: ChannelActor | undefined;
};

/** A task as its channel may see it, with as much history as requested. */
export async function taskRecord(
  store: Store,
  row: RecordRow,
  { historyLength = 0, historyAfter, history, review, reader, isAdvised = false }: WantedHistory = {},
): Promise<TaskRecord> {
  const limit = Math.min(historyLength, historyLengthMax);
  const query = { taskId: row.id, practiceId: row.practice_id, limit, afterMessage: historyAfter, known: history };
  const attachments = await attachmentsOf(store, row);
  return {
    id: row.id,
    contextId: row.context_id,
    earlierTaskId: row.earlier_task_id ?? undefined,
    practiceId: row.practice_id,
    environment: row.environment,
    task: rowToTask(store, row),
    changedAt: row.changed_at,
    version: row.version,
    advice: isAdvised || row.missing.length > 0 ? await advice(store, row, { review, reader, attachments }) : undefined,
    revisionDigest: row.revision_digest,
    gate: rowToGateRecord(store, row),
    determination: rowToDetermination(store, row),
    superseded: row.determination_supersedes ? superseded(row, await loadDeterminations(store, query)) : [],
    submissions: submissionViews(store, row),
    clock: caseClock(row),
    clockSettings: row.payer_received_at
      ? { timeZone: row.time_zone, lineOfBusiness: row.line_of_business }
      : undefined,
    voidedAt: row.voided_at ?? undefined,
    attachments,
    ...(limit > 0 ? await messageHistory(store, query) : {}),
  };
}

/** Read only for tasks that wait for the agent, so that a poll of any other needs no further statement. */
async function advice(
  store: Store,
  row: RecordRow,
  {
    review: known,
    reader,
    attachments: files,
  }: Pick<WantedHistory, "review" | "reader"> & Pick<TaskRecord, "attachments">,
): Promise<Advice> {
  const place = { taskId: row.id, number: row.revision, practiceId: row.practice_id };
  const review = known ?? (await loadRevision(store, place)).review;
  const { id: taskId, practice_id: practiceId, earlier_task_id: earlier } = row;
  const isAtPayer = row.payer_receipt !== "no";
  const route = await chooseRoute(store, { practiceId, review });
  const compared = { taskId, practiceId, review, files: files.length, earlierTaskId: earlier ?? undefined };
  const beside = route && reader && (await besideOf(store, reader, { ...compared, route }));
  const payer = route && !isAtPayer ? payerWarnings(route, review) : [];
  return adviceOn(review, {
    missing: row.missing,
    update: row.payer_receipt === "yes",
    now: row.now,
    files,
    payer,
    beside,
  });
}

async function attachmentsOf(store: Store, row: RecordRow): Promise<readonly Attachment[]> {
  if (row.attachment_count === 0) return [];
  return loadAttachments(store, { taskId: row.id, practiceId: row.practice_id, revision: row.revision });
}

function rowToGateRecord(store: Store, row: RecordRow): TaskRecord["gate"] {
  const { gate_id: id, gate_action: action, gate_status: status, gate_digest: digest } = row;
  const { gate_opened_at: openedAt, gate_expires_at: expiresAt, gate_reason: reason } = row;
  if (!id || !action || !status || !digest || !openedAt || !expiresAt) return undefined;
  return {
    id,
    action,
    status,
    digest,
    documentDigests: row.gate_document_digests ?? [],
    openedAt,
    expiresAt,
    decidedAt: row.gate_decided_at ?? undefined,
    autoReleased: row.gate_auto_released === true ? true : undefined,
    reason: gateReason(store, { id, practiceId: row.practice_id, reason }),
    reasonCode: row.gate_reason_code ?? undefined,
    fields: row.gate_fields ?? [],
  };
}
