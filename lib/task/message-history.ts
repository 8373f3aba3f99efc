import type { Digest } from "#lib/task/model/task";
import { loadBytesLeft } from "#lib/task/store/attachments";
import type { Store } from "#lib/db/db";
import { lastMessages, openMessages, type SealedMessage } from "#lib/task/store/messages";
import type { TaskRecord } from "./views.ts";

/** The most messages in one reply. */
export const historyLengthMax = 100;

type HistoryQuery = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly limit: number;
  readonly afterMessage?: string | undefined;
  /** The messages, if they were read together with the task. */
  readonly known?: readonly SealedMessage[] | undefined;
};
type Reference = { readonly sha256: Digest; readonly size: number };
type History = Pick<TaskRecord, "messages" | "messagesLeftOut" | "files" | "filePartsIncluded" | "historyLost">;

/** The most bytes of messages in one reply, including their files in base64. */
export const historyBytesMax = 1024 * 1024;

/**
 * The last messages of a task up to `historyBytesMax`, and the newest in any case. Files are included with their bytes
 * as long as there is room, those of the newest message first. What the archive lost is left out and counted.
 */
export async function messageHistory(store: Store, query: HistoryQuery): Promise<History> {
  const { bodies, leftOut, lost } = await lastBodies(store, query);
  const references = bodies.toReversed().flatMap(referencesIn);
  const filePartsIncluded = countIncluded(bodies, references);
  const digests = [...new Set(references.slice(0, filePartsIncluded).map(({ sha256 }) => sha256))];
  const files = await loadBytesLeft(store, { ...query, digests });
  const historyLost = lost + digests.length - files.size;
  return { messages: bodies, messagesLeftOut: leftOut, files, filePartsIncluded, historyLost };
}

async function lastBodies(store: Store, query: HistoryQuery) {
  const { known, practiceId } = query;
  // What is read together with a task is far below the limit of a reply.
  if (known) return { ...(await openMessages(store, known, practiceId)), leftOut: 0 };
  return lastMessages(store, { ...query, bytesMax: historyBytesMax });
}

/** How many of these files, in this order, are included with their bytes beside these messages. */
export function countIncluded(bodies: readonly Uint8Array[], references: readonly Pick<Reference, "size">[]): number {
  let bytes = bodies.reduce((sum, { length }) => sum + length, 0);
  const tooFar = references.findIndex(({ size }) => (bytes += Math.ceil(size / 3) * 4) > historyBytesMax);
  return tooFar < 0 ? references.length : tooFar;
}

/** The files of a stored message, in the order of its parts. */
export function referencesIn(body: Uint8Array): readonly Reference[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (!bytes.includes('"kind":"file"')) return [];
  // Safe because the endpoint wrote it in this form, and the seal proves that it is unchanged.
  const { parts } = JSON.parse(bytes.toString()) as { parts: { kind: string; file: { bytes: Reference } }[] };
  return parts.flatMap(({ kind, file }) => (kind === "file" ? [file.bytes] : []));
}
