import { filesBytesMax } from "#lib/domain/attachment";
import type { Digest } from "#lib/domain/task";
import { loadBytes } from "#lib/store/attachments";
import type { Store } from "#lib/store/db";
import { lastMessages } from "#lib/store/messages";
import type { TaskRecord } from "./views.ts";

type Asked = { readonly taskId: string; readonly practiceId: string; readonly limit: number };
type Reference = { readonly sha256: Digest; readonly size: number };

/**
 * The last messages of a task with the bytes of their files: as many of them
 * as one message may bring bytes, and the newest in any case.
 */
export async function messageHistory(store: Store, asked: Asked): Promise<Pick<TaskRecord, "messages" | "files">> {
  const all = await lastMessages(store, asked);
  const told = all.map((body) => ({ body, references: referencesIn(body) }));
  const messages = told.slice(tellableFrom(told.map(({ references }) => references)));
  const digests = messages.flatMap(({ references }) => references.map(({ sha256 }) => sha256));
  const files = await loadBytes(store, store.sealer, { ...asked, digests: [...new Set(digests)] });
  return { messages: messages.map(({ body }) => body), files };
}

/** The index of the oldest message that can be told with everything after it. */
function tellableFrom(messages: readonly (readonly Reference[])[]): number {
  let bytes = 0;
  const tooFar = messages.findLastIndex((references) => {
    bytes += references.reduce((sum, { size }) => sum + size, 0);
    return bytes > filesBytesMax;
  });
  return Math.min(tooFar + 1, Math.max(messages.length - 1, 0));
}

function referencesIn(body: Uint8Array): readonly Reference[] {
  const text = Buffer.from(body).toString();
  if (!text.includes('"kind":"file"')) return [];
  // Safe because the edge wrote it so, and the seal shows it is unchanged.
  const { parts } = JSON.parse(text) as { parts: { kind: string; file: { bytes: Reference } }[] };
  return parts.flatMap(({ kind, file }) => (kind === "file" ? [file.bytes] : []));
}
