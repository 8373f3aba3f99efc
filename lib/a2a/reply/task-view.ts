import { isContestable, stateOf, type Digest, type Task } from "#lib/task/model/task";
import type { TaskRecord, UnchangedTask } from "#lib/task/views";
import { artifactViews, determinationView } from "./artifacts.ts";
import { contentDigest } from "#lib/a2a/params/canonical";
import type { CaseClock } from "#lib/task/case-clock";
import { withBytes, type BytesOf } from "#lib/a2a/params/file-parts";
import { statusOf } from "./status.ts";
import { statusText } from "#lib/messages/agent/status";
import { fixText, missingTexts, warningTexts } from "#lib/messages/agent/advice";
import type { Advice } from "#lib/task/advice";

/**
 * A task as agents read it, without `pollAfterSeconds`: the Task of A2A with members of ours. It names no person of the
 * practice, and it includes the messages only when the call asked for history.
 */
export function taskView(record: TaskRecord) {
  const { id, contextId, practiceId, environment, task, revisionDigest } = record;
  const { by, what, until } = statusOf(task, record.gate);
  const state = stateOf(task);
  const nextAction = { by, what, until };
  // Of what is decided or over, a revision that never left may lack something, and nobody waits for it.
  const wantsMore = state === "needs-information" || state === "payer-needs-information" || state === "transmitted";
  const facts = {
    missing: wantsMore && task.missing.length > 0 ? task.missing : undefined,
    problems: wantsMore ? problemsView(record.advice) : undefined,
    warnings: warningsView(record.advice),
  };
  const gate = gateView(record);
  return {
    kind: "task",
    id,
    contextId,
    earlierTaskId: record.earlierTaskId,
    state,
    version: record.version,
    status: statusView(record, { ...facts, gate, nextAction }),
    practiceId,
    revision: {
      number: task.revision,
      digest: revisionDigest,
      attachments: record.attachments,
      editedBy: task.edited && "reviewer",
      edited: task.edited?.paths,
    },
    gate,
    environment,
    nextAction,
    ...facts,
    payerReference: task.payer.reference,
    determination: determinationView(record),
    recourse: recourseView(task),
    clock: record.clock && clockView(record.clock),
    artifacts: artifactViews(record),
    history: historyView(record),
    // The libraries of A2A drop members they do not know, but they keep metadata.
    metadata: {
      ...{ state, version: record.version, nextAction },
      historyLeftOut: record.messagesLeftOut || undefined,
      historyLost: record.historyLost || undefined,
    },
  };
}

/** What is told of a task whose version the caller has: a Task of A2A still, and nothing else of it. */
export function unchangedView({ id, contextId, task, changedAt, version }: UnchangedTask) {
  const { status } = statusOf(task);
  const state = stateOf(task);
  return {
    kind: "task",
    id,
    contextId,
    state,
    version,
    unchanged: true,
    status: { state: status, timestamp: changedAt.toISOString() },
    metadata: { state, version, unchanged: true },
  };
}

/** The facts are a part of the message, because the libraries of A2A 1.x hand on no other members of a task. */
function statusView({ id, contextId, task, changedAt, gate }: TaskRecord, facts: object) {
  const { status, by, says, what, until } = statusOf(task, gate);
  const missing = stateOf(task) === "needs-information" ? task.missing : [];
  const text = statusText({
    taskId: id,
    says,
    what,
    by,
    until,
    missing,
    remark: task.remark,
    about: gate?.fields ?? [],
    edited: task.edited?.paths ?? [],
  });
  return {
    state: status,
    timestamp: changedAt.toISOString(),
    message: {
      kind: "message",
      role: "agent",
      // The same status always has the same id, so that a poll does not show a new message.
      messageId: `${id}-${changedAt.getTime()}`,
      parts: [
        { kind: "text", text },
        { kind: "data", data: facts },
      ],
      taskId: id,
      contextId,
    },
  };
}

/** What is known and was done about contesting the determination in force. Undefined where it cannot be contested. */
function recourseView(task: Task) {
  if (!isContestable(task.payer)) return undefined;
  const { terms, peerToPeer, closed = false } = task.payer.recourse ?? {};
  return {
    open: !closed,
    appealBy: terms?.by,
    howToAppeal: terms?.how,
    peerToPeer: peerToPeer && { ...peerToPeer, at: peerToPeer.at?.toISOString() },
  };
}

function gateView({ gate, environment }: TaskRecord) {
  if (!gate) return null;
  const { id, action, status, digest, documentDigests, openedAt, expiresAt, decidedAt, autoReleased } = gate;
  const { reason, reasonCode, fields = [] } = gate;
  return {
    id,
    action,
    status,
    digest,
    documentDigests,
    environment,
    openedAt: openedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    decidedAt: decidedAt?.toISOString(),
    releasedBy: autoReleased === true ? "auto-reviewer" : undefined,
    reason,
    reasonCode,
    fields: fields.length > 0 ? fields : undefined,
  };
}

/**
 * The legal time for the payer's decision, on the wire. `known` is false when it is not configured which rules bind the
 * payer, or when this service knows no rule.
 */
function clockView({ startedAt, startedBy, urgentAt, stoppedAt, legal }: CaseClock) {
  const started = {
    startedAt: startedAt.toISOString(),
    startedBy,
    urgentAt: urgentAt?.toISOString(),
    stoppedAt: stoppedAt?.toISOString(),
    known: legal.known,
  };
  if (!legal.known) return started;
  const { lineOfBusiness, urgency, within, source, note } = legal.rule;
  return {
    ...started,
    dueAt: legal.dueAt.toISOString(),
    overdue: legal.overdue,
    rule: { lineOfBusiness, urgency, within, source, note },
  };
}

/** Oldest first. The files of the newest messages include their bytes, `filePartsIncluded` of them. */
function historyView(record: TaskRecord): readonly object[] {
  let left = record.filePartsIncluded ?? 0;
  const bytesOf = (digest: Digest) => (left-- > 0 ? record.files?.get(digest) : undefined);
  return (record.messages ?? [])
    .toReversed()
    .map((message) => messageView(message, record, bytesOf))
    .toReversed();
}

type StoredMessage = { readonly messageId?: string };

/**
 * A message exactly as it was accepted, completed with the members that A2A requires of every message. Without an id of
 * the client's, it is named by its content.
 */
function messageView(bytes: Uint8Array, { id, contextId }: TaskRecord, bytesOf: BytesOf): object {
  // Safe because only accepted messages are stored, in their canonical form.
  const message = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) as StoredMessage;
  const { messageId = contentDigest(message, bytes) } = message;
  return { messageId, ...withBytes(message, bytesOf), kind: "message", taskId: id, contextId };
}

/** Why each missing member is missing, on the wire. */
function problemsView(advice: Advice | undefined): readonly object[] | undefined {
  if (!advice || advice.problems.length === 0) return undefined;
  return advice.problems.map(({ path, reason, rule }) => ({
    path,
    problem: missingTexts[reason].problem,
    fix: fixText(reason, rule),
  }));
}

/** What a reviewer will be warned of and the agent can mend, on the wire. */
function warningsView(advice: Advice | undefined): readonly object[] | undefined {
  if (!advice || advice.warnings.length === 0) return undefined;
  return advice.warnings.map(({ code, path, values }) => ({ code, path, problem: warningTexts[code](values) }));
}
