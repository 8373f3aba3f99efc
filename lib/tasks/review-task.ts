import type { Context } from "#lib/context";
import type { PersonActor } from "#lib/domain/actor";
import { askedLines } from "#lib/domain/asked-lines";
import { attachmentChanges, type Attachment } from "#lib/domain/attachment";
import { changesBetween } from "#lib/domain/changes";
import { codeSystemOf } from "#lib/domain/formats";
import { ok, refuse, type Result } from "#lib/domain/result";
import type { ServiceReview } from "#lib/domain/service-review";
import { attentionOf, stateOf, type Task } from "#lib/domain/task";
import { unknownMembers } from "#lib/domain/unknown-members";
import { documentDigest } from "#lib/payer/digest";
import { loadAttachments } from "#lib/store/attachments";
import {
  channelName,
  lastDecision,
  loadDeterminations,
  loadHistory,
  personName,
  type HistoryRow,
} from "#lib/store/case";
import { inTransaction, type Store } from "#lib/store/db";
import type { Way } from "#lib/store/destinations";
import { loadGate, openCalls } from "#lib/store/gates";
import { loadHandRecords } from "#lib/store/records";
import { loadRevision } from "#lib/store/load-revision";
import { loadTask } from "#lib/store/load-task";
import { lastMessages, messageOfRevision } from "#lib/store/messages";
import { openText } from "#lib/store/seal";
import { rowToTask, type TaskRow } from "#lib/store/task-rows";
import { caseClock } from "./case-clock.ts";
import { practicesOf } from "./change.ts";
import { caseChecks, isBlocked, type Checked } from "./case-checks.ts";
import { duplicatesOf } from "./find-duplicates.ts";
import { openRevision, payersRevision } from "./open-revision.ts";
import { possibleOn } from "./possible.ts";
import type { Refusal } from "./refusal.ts";
import { shortIdOf } from "./short-id.ts";
import { shownDocument } from "./shown-document.ts";
import { sendingViews } from "./sending-views.ts";
import { withStanding } from "./superseded.ts";
import type { CaseView, GateView } from "./views.ts";
import { possibleWith, votingView } from "./voting-view.ts";

/** Most messages whose notes are shown. */
const notesMax = 50;

/** One case as its page shows it, for a reviewer of its practice; anyone else finds nothing. */
export async function reviewTask(
  ctx: Context<PersonActor>,
  { taskId }: { taskId: string },
): Promise<Result<CaseView, Refusal>> {
  const { store } = ctx;
  const read = await inTransaction(store, async (tx) => {
    const row = await loadTask(tx, { taskId, practices: practicesOf(ctx) });
    return row && { row, ...(await openRevision({ tx, store }, row)), has: await payersRevision({ tx, store }, row) };
  });
  if (!read) return refuse({ type: "not-found" });
  const { row, review, way, has } = read;
  const task = rowToTask(row, store.sealer);
  const place = { taskId: row.id, practiceId: row.practice_id };
  const history = await loadHistory(store, place);
  const voting = await votingView(store, ctx.actor, row);
  const checked = task.motion.kind === "held" ? await caseChecks({ tx: store.prisma, store }, read) : nothingFound;
  const { checks } = checked;
  return ok({
    ...viewOfTask(row, task, way),
    voting,
    ...viewOfReview(review),
    channel: { id: row.channel_id, name: await channelName(store, row.channel_id) },
    revision: await viewOfRevision(store, row),
    notes: await notesOf(store, place),
    ...(await changesOf(store, row, review)),
    asked: { revision: has.number, lines: askedLines(has.review) },
    gate: await viewOfGate(store, row),
    checks,
    duplicates: duplicatesOf(review, checked),
    can: possibleWith(possibleOn(task), voting).filter((possible) => possible !== "release" || !isBlocked(checks)),
    determinations: withStanding(row, await loadDeterminations(store, place)),
    sendings: sendingViews(store, row),
    clock: caseClock(row),
    byHand: await loadHandRecords(store, place),
    sender: await senderOf(store, row, history),
    history: history.map(({ detail, receiptId, assignee, ...entry }) => ({
      ...entry,
      assignee: assignee ?? undefined,
      receiptId: receiptId ?? undefined,
      // Safe because every audit detail is written as a JSON object.
      detail: JSON.parse(detail) as Record<string, unknown>,
    })),
  });
}

/** Which channel, key and message brought the revision at hand. */
async function senderOf(store: Store, row: TaskRow, history: readonly HistoryRow[]): Promise<CaseView["sender"]> {
  const place = { taskId: row.id, practiceId: row.practice_id, revision: row.revision };
  const message = await messageOfRevision(store, place);
  const details = history.flatMap(({ act, detail }) =>
    // Safe because every audit detail is written as a JSON object.
    act === "task.opened" || act === "task.amended" ? [JSON.parse(detail) as Record<string, unknown>] : [],
  );
  const key = details.find(({ revision }) => revision === row.revision)?.["key"];
  return {
    channel: await channelName(store, message?.channelId ?? row.channel_id),
    keyId: typeof key === "string" ? key : undefined,
    messageId: message?.messageId,
  };
}

const nothingFound: Checked = { checks: [], others: [] };

function viewOfTask(row: TaskRow, task: Task, { practice, destination, configured }: Way) {
  const { motion, payer } = task;
  return {
    taskId: row.id,
    shortId: shortIdOf(row.id),
    state: stateOf(task),
    attention: attentionOf(task),
    remark: task.remark,
    missing: task.missing,
    environment: row.environment,
    practice: { id: practice.id, name: practice.name, timeZone: practice.timeZone },
    payer: { id: row.payer_id, name: destination.payerName, configured },
    connector: "gate" in motion ? (row.gate_connector ?? destination.connector) : destination.connector,
    reference: payer.reference,
    wants: payer.wants,
    voidPending: payer.voidPending ?? false,
    voided: payer.voided,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    dueAt: row.due_at ?? undefined,
    claimableAt: motion.kind === "released" ? motion.claimableAt : undefined,
    attempt: "attempt" in motion ? motion.attempt : undefined,
  };
}

function viewOfReview(review: ServiceReview) {
  const codes = review.procedures.map(({ code }) => [code, codeSystemOf(code)] as const);
  return { review, codeSystems: Object.fromEntries(codes), unknownMembers: unknownMembers(review) };
}

async function viewOfRevision(store: Store, row: TaskRow): Promise<CaseView["revision"]> {
  const place = { taskId: row.id, number: row.revision, practiceId: row.practice_id };
  const { digest, createdAt } = await loadRevision({ tx: store.prisma, store }, place);
  return { number: row.revision, digest, receivedAt: createdAt };
}

/** The text parts of the accepted messages, or of those after a revision: what the agent wrote to the reviewer. */
async function notesOf(
  store: Store,
  place: { taskId: string; practiceId: string; after?: number },
): Promise<readonly string[]> {
  const messages = await lastMessages(store, { ...place, limit: notesMax });
  return messages.flatMap((bytes) => {
    // Safe because the edge checked the message before it was kept.
    const { parts } = JSON.parse(Buffer.from(bytes).toString()) as { parts: { kind: string; text?: string }[] };
    return parts.flatMap((part) => (part.kind === "text" && part.text ? [part.text] : []));
  });
}

/** What differs from the revision a person last decided on, and the files of the one at hand. */
async function changesOf(
  store: Store,
  row: TaskRow,
  review: ServiceReview,
): Promise<Pick<CaseView, "changes" | "attachments">> {
  const place = { taskId: row.id, practiceId: row.practice_id };
  const filesOf = (revision: number) => loadAttachments(store, store.sealer, { ...place, revision });
  const files = await filesOf(row.revision);
  const last = await lastDecision(store, place);
  if (!last || last.revision >= row.revision)
    return { changes: undefined, attachments: files.map((file) => ({ ...file, isNew: false })) };
  const { revision: sinceRevision, question } = last;
  const before = await loadRevision({ tx: store.prisma, store }, { ...place, number: sinceRevision });
  const filesBefore = await filesOf(sinceRevision);
  const isNew = ({ sha256 }: Attachment) => !filesBefore.some((file) => file.sha256 === sha256);
  const list = [...changesBetween(before.review, review), ...attachmentChanges(filesBefore, files)];
  const answer = question ? await notesOf(store, { ...place, after: sinceRevision }) : [];
  return {
    changes: { sinceRevision, list, question, answer },
    attachments: files.map((file) => ({ ...file, isNew: isNew(file) })),
  };
}

async function viewOfGate(store: Store, row: TaskRow): Promise<GateView | undefined> {
  if (!row.gate_id) return undefined;
  const gate = await loadGate(store, { gateId: row.gate_id, practiceId: row.practice_id });
  const place = { table: "gate", column: "reason", row: gate.id, practiceId: gate.practiceId };
  return {
    id: gate.id,
    action: gate.action === "void" ? "void" : "transmit",
    update: gate.isUpdate,
    byHand: gate.byHand,
    status: gate.status,
    revision: gate.revision,
    digest: gate.digest,
    openedAt: gate.openedAt,
    expiresAt: gate.expiresAt,
    decidedAt: gate.decidedAt ?? undefined,
    decidedBy: gate.decidedBy ? await personName(store, gate.decidedBy) : undefined,
    reason: gate.reason ? openText(store.sealer, gate.reason, place) : undefined,
    calls: openCalls(store.sealer, gate).map(({ method, url, contentType, body }) => ({
      method,
      url,
      contentType,
      ...shownDocument(body),
      bytes: body.length,
      documentDigest: documentDigest(body),
    })),
  };
}
