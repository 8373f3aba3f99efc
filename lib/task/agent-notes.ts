import { ArchivedValueLostError } from "#lib/db/archived";
import { lastMessages } from "#lib/task/store/messages";
import type { Store } from "#lib/db/db";

/** As many of the newest notes as a page shows at first, or as many as it shows on request. */
export type NotesShown = "newest" | "all";

/** Limits on the messages that are read, on their bytes, and on the characters shown. The last note is always shown. */
const bounds = {
  newest: { limit: 50, bytesMax: 64 * 1024, charsMax: 20_000 },
  all: { limit: 200, bytesMax: 1024 * 1024, charsMax: 200_000 },
} as const;

type NotesQuery = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly shown: NotesShown;
  /** Only notes that came with a later revision. */
  readonly after?: number;
};

/** The text parts of the accepted messages, oldest first: what the agent wrote to the reviewer. */
export async function agentNotes(
  store: Store,
  { shown, ...query }: NotesQuery,
): Promise<{ readonly notes: readonly string[]; readonly moreNotes: boolean }> {
  const { limit, bytesMax, charsMax } = bounds[shown];
  const { bodies, leftOut, lost } = await lastMessages(store, { ...query, limit, bytesMax });
  // A page without them would look as if the agent had written less.
  if (lost > 0) throw new ArchivedValueLostError("missing");
  const all = bodies.flatMap(notesIn).toReversed();
  let chars = 0;
  const tooFar = all.findIndex((note, index) => (chars += note.length) > charsMax && index > 0);
  const notes = all.slice(0, tooFar < 0 ? all.length : tooFar).toReversed();
  return { notes, moreNotes: leftOut > 0 || bodies.length === limit || notes.length < all.length };
}

function notesIn(body: Uint8Array): readonly string[] {
  // Safe because the endpoint checked the message before it was stored.
  const { parts } = JSON.parse(Buffer.from(body).toString()) as { parts: { kind: string; text?: string }[] };
  return parts.flatMap((part) => (part.kind === "text" && part.text ? [part.text] : []));
}
