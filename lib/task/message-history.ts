import type { Digest } from "#lib/task/model/task";
import { loadBytes } from "#lib/task/store/attachments";
import type { Store } from "#lib/db/db";
import { lastMessages, openMessages, type SealedMessage } from "#lib/task/store/messages";
import type { TaskRecord } from "./views.ts";

/** Most messages of history one reply carries. */
export const historyLengthMax = 100;

type HistoryQuery = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly limit: number;
  readonly afterMessage?: string | undefined;
  /** Where they were read along with the task. */
  readonly known?: readonly SealedMessage[] | undefined;
};
type Reference = { readonly sha256: Digest; readonly size: number };
type History = Pick<TaskRecord, "messages" | "messagesLeftOut" | "files" | "filePartsIncluded">;

/** What one reply carries of a task's messages, in bytes, their files in base64 included. */
export const historyBytesMax = 1024 * 1024;

/**
 * The last messages of a task that come to `historyBytesMax`, and the newest in any case; of their files the bytes of
 * as many as there is room for beside them, the newest message's first.
 */
export async function messageHistory(store: Store, query: HistoryQuery): Promise<History> {
  const { bodies, leftOut } = await lastBodies(store, query);
  const references = bodies.toReversed().flatMap(referencesIn);
  const filePartsIncluded = countIncluded(bodies, references);
  const digests = references.slice(0, filePartsIncluded).map(({ sha256 }) => sha256);
  const files = await loadBytes(store, store.sealer, { ...query, digests: [...new Set(digests)] });
  return { messages: bodies, messagesLeftOut: leftOut, files, filePartsIncluded };
}

function lastBodies(store: Store, query: HistoryQuery) {
  const { known, practiceId } = query;
  // What is read along with a task is far below what a reply carries.
  if (known) return { bodies: openMessages(store.sealer, known, practiceId), leftOut: 0 };
  return lastMessages(store, { ...query, bytesMax: historyBytesMax });
}

/** How many of these files, in this order, are told with their bytes beside these messages. */
export function countIncluded(bodies: readonly Uint8Array[], references: readonly Pick<Reference, "size">[]): number {
  let bytes = bodies.reduce((sum, { length }) => sum + length, 0);
  const tooFar = references.findIndex(({ size }) => (bytes += Math.ceil(size / 3) * 4) > historyBytesMax);
  return tooFar < 0 ? references.length : tooFar;
}

/** The files of a kept message, in the order of its parts. */
export function referencesIn(body: Uint8Array): readonly Reference[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (!bytes.includes('"kind":"file"')) return [];
  // Safe because the edge wrote it so, and the seal shows it is unchanged.
  const { parts } = JSON.parse(bytes.toString()) as { parts: { kind: string; file: { bytes: Reference } }[] };
  return parts.flatMap(({ kind, file }) => (kind === "file" ? [file.bytes] : []));
}
