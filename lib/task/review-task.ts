import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { requestedLines } from "#lib/task/model/requested-lines";
import type { Attachment } from "#lib/task/model/attachment";
import { attachmentChanges } from "#lib/task/model/attachment-changes";
import { changesBetween } from "#lib/task/model/changes";
import { codeSystemOf } from "#lib/task/model/formats";
import { ok, refuse, type Result } from "#lib/platform/result";
import type { ServiceReview } from "#lib/task/model/service-review";
import { attentionOf, isContestable, openRecourse, stateOf, type Task } from "#lib/task/model/task";
import { unknownMembers } from "#lib/task/model/unknown-members";
import { documentDigest } from "#lib/payer/digest";
import { loadAttachments } from "#lib/task/store/attachments";
import {
  channelName,
  lastDecision,
  loadDeterminations,
  loadHistory,
  personName,
  type HistoryRow,
  type LastDecision,
} from "#lib/task/store/case";
import { type ArchiveReading, orWithout } from "#lib/db/archived";
import type { Store } from "#lib/db/db";
import type { ResolvedRoute } from "#lib/practice/shared/resolved-route";
import { gatePurpose, gateReason, lastReceivedRevision, loadGate, openCalls } from "#lib/gate/shared/gates";
import { listPayerAnswers } from "#lib/submission/store/payer-answers";
import { loadManualRecords } from "#lib/submission/store/manual-records";
import { loadLaterTasks } from "#lib/task/store/earlier-task";
import { listMemberCases } from "#lib/task/store/other-cases";
import { loadRevision, loadTask } from "#lib/task/store/load-task";
import { messageOfRevision } from "#lib/task/store/messages";
import { rowToTask, type TaskRow } from "#lib/task/store/task-rows";
import { caseClock } from "./case-clock.ts";
import { practicesOf } from "./change.ts";
import { caseChecks, isBlocked, type CheckResult } from "#lib/gate/case-checks";
import { duplicatesOf } from "#lib/gate/find-duplicates";
import { earlierAuthorization, openRevision, rowAtGate } from "./open-revision.ts";
import { possibleOn } from "./possible.ts";
import type { Refusal } from "./refusal.ts";
import { shortIdOf } from "./model/short-id.ts";
import { shownDocument } from "./shown-document.ts";
import { agentNotes, type NotesShown } from "./agent-notes.ts";
import { submissionViews } from "#lib/submission/submission-views";
import { withStanding } from "./superseded.ts";
import type { CaseView, GateView, HistoryEntry } from "./views.ts";
import { possibleWith, votingView } from "#lib/gate/voting-view";

export type OpenCase = { readonly taskId: string; readonly notes?: NotesShown | undefined };

/** A case as its page shows it, for a reviewer of its practice; anyone else gets `not-found`. */
export async function reviewTask(
  ctx: Context<PersonActor>,
  { taskId, notes: notesShown = "newest" }: OpenCase,
): Promise<Result<CaseView, Refusal>> {
  const { store } = ctx;
  const loaded = await loadTask(store, { taskId, practices: practicesOf(ctx) });
  if (!loaded) return refuse({ type: "not-found" });
  const task = rowToTask(store, loaded);
  const row = rowAtGate(loaded, task);
  const place = { taskId: row.id, practiceId: row.practice_id };
  // All at once, each by its key, because a person waits for them together.
  const [opened, received, history, voting, channel, notes, last, gate, determinations, manual, message, others] =
    await Promise.all([
      openChecked(store, row, task),
      lastReceivedRevision(store, place),
      loadHistory(store, place),
      votingView(store, ctx.actor, row),
      channelName(store, row.channel_id),
      agentNotes(store, { ...place, shown: notesShown }),
      lastDecision(store, place),
      viewOfGate(store, row),
      loadDeterminations(store, place),
      loadManualRecords(store, place),
      messageOfRevision(store, { ...place, revision: row.revision }),
      answersAndOthers(store, place),
    ]);
  const { review, checked } = opened;
  const { checks } = checked;
  const [requested, changed, linked] = await Promise.all([
    requestedOf(store, row, { review, number: received ?? row.revision }),
    changesOf(store, row, { review, last: last ?? beforeEdits(row, history) }),
    linkedCases(store, row),
  ]);
  return ok({
    ...viewOfTask(row, task, opened.route),
    voting,
    ...viewOfReview(review),
    edited: editedOf(row, history),
    channel: { id: row.channel_id, name: channel },
    revision: { number: row.revision, digest: opened.digest, receivedAt: opened.createdAt },
    ...notes.value,
    ...changed,
    requested,
    gate: gate.value,
    unread: { notes: notes.failure, calls: gate.failure, records: manual.failure },
    checks,
    ...duplicatesOf(review, checked),
    ...linked,
    ...others,
    can: possibleWith(possibleOn(task), voting).filter((possible) => possible !== "release" || !isBlocked(checks)),
    determinations: withStanding(row, determinations),
    submissions: submissionViews(store, row),
    clock: caseClock(row),
    manualRecords: manual.value,
    sender: senderOf(row, { message, history, channel }),
    history: history.map(historyEntry),
  });
}

/** What the payer answered, and what else was asked for its member. */
async function answersAndOthers(
  store: Store,
  place: { readonly taskId: string; readonly practiceId: string },
): Promise<Pick<CaseView, "answers" | "memberCases">> {
  const [answers, ofMember] = await Promise.all([
    listPayerAnswers(store, place),
    listMemberCases(store, { ...place, max: memberCasesMax + 1 }),
  ]);
  const list = ofMember.slice(0, memberCasesMax).map((one) => ({ ...one, shortId: shortIdOf(one.taskId) }));
  return { answers, memberCases: { list, more: ofMember.length > memberCasesMax } };
}

function historyEntry({ receiptId, assignee, ...entry }: HistoryRow): HistoryEntry {
  return { ...entry, assignee: assignee ?? undefined, receiptId: receiptId ?? undefined };
}

/** The current revision with its payer connection, and the checks if a gate is open. */
async function openChecked(store: Store, row: TaskRow, { stage }: Task) {
  const opened = await openRevision(store, row);
  const checked = stage.kind === "held" ? await caseChecks(store, { row, ...opened }) : nothingFound;
  return { ...opened, checked };
}

/** The requested lines of the revision that the payer has. */
async function requestedOf(
  store: Store,
  row: TaskRow,
  { review, number }: { review: ServiceReview; number: number },
): Promise<CaseView["requested"]> {
  if (number === row.revision) return { revision: number, lines: requestedLines(review) };
  const place = { taskId: row.id, number, practiceId: row.practice_id };
  const has = await loadRevision(store, place);
  return { revision: number, lines: requestedLines(has.review) };
}

/** The case that this one renews or extends, and those that renew or extend it. */
async function linkedCases(store: Store, row: TaskRow): Promise<Pick<CaseView, "earlier" | "later">> {
  const place = { taskId: row.id, practiceId: row.practice_id };
  const [earlier, later] = await Promise.all([earlierAuthorization(store, row), loadLaterTasks(store, place)]);
  const named = (taskId: string) => ({ taskId, shortId: shortIdOf(taskId) });
  return {
    earlier: earlier && { ...named(earlier.taskId), authorizationNumber: earlier.authorizationNumber },
    later: later.map(named),
  };
}

/** The revision that reviewers corrected, where they did: what they changed is marked as a change since then. */
function beforeEdits({ edited_by: by }: TaskRow, history: readonly HistoryRow[]): LastDecision | undefined {
  const sent = history.findLast(({ act }) => act === "task.opened" || act === "task.amended");
  const number = sent?.act === "task.opened" ? 1 : sent?.detail["revision"];
  return by.length > 0 && typeof number === "number" ? { revision: number } : undefined;
}

function editedOf({ edited_by: by, edited_paths: paths }: TaskRow, history: readonly HistoryRow[]): CaseView["edited"] {
  const since = history.findLastIndex(({ act }) => act === "task.opened" || act === "task.amended");
  const edits = history.slice(since + 1).filter(({ act }) => act === "task.edited");
  const last = edits.at(-1);
  if (by.length === 0 || !last) return undefined;
  return { by: [...new Set(edits.map(({ actor }) => actor))], at: last.at, paths };
}

/** The channel, key and message that brought the current revision. */
function senderOf(
  row: TaskRow,
  {
    message,
    history,
    channel,
  }: {
    message: Awaited<ReturnType<typeof messageOfRevision>>;
    history: readonly HistoryRow[];
    channel: string;
  },
): CaseView["sender"] {
  const details = history.flatMap(({ act, detail }) =>
    act === "task.opened" || act === "task.amended" ? [detail] : [],
  );
  const key = details.find(({ revision }) => revision === row.revision)?.["key"];
  return {
    channel: message?.channel ?? channel,
    keyId: typeof key === "string" ? key : undefined,
    messageId: message?.messageId,
  };
}

/** Nobody reads more of one member's cases beside another. */
const memberCasesMax = 20;

const nothingFound: CheckResult = { checks: [], others: [] };

function viewOfTask(row: TaskRow, task: Task, route: ResolvedRoute) {
  const { practice, destination, configured } = route;
  const { stage, payer } = task;
  return {
    taskId: row.id,
    shortId: shortIdOf(row.id),
    state: stateOf(task),
    attention: attentionOf(task),
    remark: task.remark,
    missing: task.missing,
    environment: row.environment,
    practice: { id: practice.id, name: practice.name, timeZone: practice.timeZone },
    recallWindowS: practice.recallWindowS,
    payer: { id: row.payer_id, name: route.payer.name, configured },
    lineOfBusiness: destination.lineOfBusiness,
    connection: connectionOf(row, route),
    connector: "gate" in stage ? (row.gate_connector ?? destination.connector) : destination.connector,
    payerReceipt: payer.payerReceipt,
    reference: payer.reference,
    informationRequest: payer.informationRequest,
    undecided: payer.determination && payer.undecided,
    recourse: isContestable(payer) ? { ...payer.recourse, isOpen: openRecourse(task) !== undefined } : undefined,
    voidPending: payer.voidPending ?? false,
    voided: payer.voided,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    dueAt: row.due_at ?? undefined,
    claimableAt: stage.kind === "released" ? stage.claimableAt : undefined,
    attempt: "attempt" in stage ? stage.attempt : undefined,
  };
}

/** The connection of the gate, as it was chosen when that opened; before there is one, what it would be. */
function connectionOf(row: TaskRow, route: ResolvedRoute): CaseView["connection"] {
  const { payer, destination } = route;
  const payerId = row.gate_id ? (row.route_payer_id ?? row.payer_id) : route.connection;
  return {
    payerId,
    payerName: payerId === route.connection ? destination.payerName : undefined,
    rule: row.gate_id ? (row.gate_route_rule ?? undefined) : route.rule,
    rules: payer.rules.length,
    isKept: row.payer_receipt !== "no",
  };
}

function viewOfReview(review: ServiceReview) {
  const codes = review.procedures.map(({ code }) => [code, codeSystemOf(code)] as const);
  return { review, codeSystems: Object.fromEntries(codes), unknownMembers: unknownMembers(review) };
}

/** What has changed since the revision that a person last decided on, and the current files. */
async function changesOf(
  store: Store,
  row: TaskRow,
  { review, last }: { review: ServiceReview; last: LastDecision | undefined },
): Promise<Pick<CaseView, "changes" | "attachments">> {
  const place = { taskId: row.id, practiceId: row.practice_id };
  const filesOf = (revision: number) => loadAttachments(store, { ...place, revision });
  const files = await filesOf(row.revision);
  if (!last || last.revision >= row.revision)
    return { changes: undefined, attachments: files.map((file) => ({ ...file, isNew: false })) };
  const { revision: sinceRevision, question } = last;
  const before = await loadRevision(store, { ...place, number: sinceRevision });
  const filesBefore = await filesOf(sinceRevision);
  const isNew = ({ sha256 }: Attachment) => !filesBefore.some((file) => file.sha256 === sha256);
  const list = [...changesBetween(before.review, review), ...attachmentChanges(filesBefore, files)];
  const notesSince = question
    ? await agentNotes(store, { ...place, after: sinceRevision, shown: "newest" })
    : undefined;
  return {
    changes: {
      sinceRevision,
      list,
      question,
      answer: notesSince?.value.notes ?? [],
      moreAnswer: notesSince?.value.moreNotes ?? false,
    },
    attachments: files.map((file) => ({ ...file, isNew: isNew(file) })),
  };
}

async function viewOfGate(store: Store, row: TaskRow): Promise<ArchiveReading<GateView | undefined>> {
  if (!row.gate_id) return { value: undefined, failure: undefined };
  const gate = await loadGate(store, { gateId: row.gate_id, practiceId: row.practice_id });
  const { taskId, practiceId } = gate;
  const files = await loadAttachments(store, { taskId, practiceId, revision: gate.revision });
  // Nobody decides on an open gate without its bytes: only what is over may lack them.
  const opening = openCalls(store, gate);
  const { value: calls, failure } =
    gate.status === "open" ? { value: await opening, failure: undefined } : await orWithout(opening, []);
  const view = {
    id: gate.id,
    action: gate.action,
    purpose: gate.action === "void" ? gatePurpose(store, gate) : undefined,
    update: gate.isUpdate,
    manual: gate.isManual,
    status: gate.status,
    revision: gate.revision,
    digest: gate.digest,
    openedAt: gate.openedAt,
    expiresAt: gate.expiresAt,
    decidedAt: gate.decidedAt ?? undefined,
    autoReleased: gate.autoReleased,
    decidedBy: gate.decidedBy ? await personName(store, gate.decidedBy) : undefined,
    reason: gateReason(store, gate),
    documentDigests: gate.documentDigests,
    calls: calls.map(({ method, url, contentType, body }) => ({
      method,
      url,
      contentType,
      ...shownDocument(body, files),
      bytes: body.length,
      documentDigest: documentDigest(body),
    })),
  };
  return { value: view, failure };
}
