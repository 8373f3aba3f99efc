import { stateOf, type Digest } from "#lib/task/model/task";
import type { TaskRecord } from "#lib/task/views";
import { artifactViews } from "./artifacts.ts";
import { sha256 } from "#lib/a2a/params/canonical";
import { clockView } from "./clock-view.ts";
import { determinationView } from "./determination-data.ts";
import { withBytes, type BytesOf } from "#lib/a2a/params/file-parts";
import { statusText, statusMessage } from "./status-words.ts";

/**
 * A task as agents see it: A2A's Task with ours around it. It names no person
 * of the practice, and holds what was asked only where history was asked for.
 */
export function taskView(record: TaskRecord) {
  const { id, contextId, practiceId, environment, task, revisionDigest } = record;
  const { by, what } = statusMessage(task);
  const state = stateOf(task);
  const nextAction = { by, what };
  return {
    kind: "task",
    id,
    contextId,
    state,
    status: statusView(record),
    practiceId,
    revision: { number: task.revision, digest: revisionDigest, attachments: record.attachments },
    gate: gateView(record),
    environment,
    nextAction,
    missing: task.missing.length > 0 ? task.missing : undefined,
    payerReference: task.payer.reference,
    determination: determinationView(record),
    clock: record.clock && clockView(record.clock),
    artifacts: artifactViews(record),
    history: historyView(record),
    // A2A's libraries drop members they do not know, and hand on these.
    metadata: { state, nextAction, historyLeftOut: record.messagesLeftOut || undefined },
  };
}

function statusView({ id, contextId, task, changedAt, gate }: TaskRecord) {
  return {
    state: statusMessage(task).status,
    timestamp: changedAt.toISOString(),
    message: {
      kind: "message",
      role: "agent",
      // The same status always has the same id, so that a poll brings no new message.
      messageId: `${id}-${changedAt.getTime()}`,
      parts: [{ kind: "text", text: statusText(task, gate?.fields) }],
      taskId: id,
      contextId,
    },
  };
}

function gateView({ gate, environment }: TaskRecord) {
  if (!gate) return null;
  const { id, action, status, digest, documentDigests, openedAt, expiresAt, decidedAt } = gate;
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
    reason,
    reasonCode,
    fields: fields.length > 0 ? fields : undefined,
  };
}

/** Oldest first; the newest messages' files have their bytes, as far as the record says. */
function historyView(record: TaskRecord): readonly object[] {
  let left = record.filePartsTold ?? 0;
  const bytesOf = (digest: Digest) => (left-- > 0 ? record.files?.get(digest) : undefined);
  return (record.messages ?? [])
    .toReversed()
    .map((message) => messageView(message, record, bytesOf))
    .toReversed();
}

type Kept = { readonly messageId?: string };

/** A message exactly as it was accepted, with what A2A requires of every message where it was left out. */
function messageView(bytes: Uint8Array, { id, contextId }: TaskRecord, bytesOf: BytesOf): object {
  // Safe because only accepted messages are kept, in the canonical form the edge gave them.
  const message = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) as Kept;
  const { messageId = sha256(bytes) } = message;
  return { messageId, ...withBytes(message, bytesOf), kind: "message", taskId: id, contextId };
}
