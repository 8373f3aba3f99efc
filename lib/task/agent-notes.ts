import { type ArchiveReading, orWithout } from "#lib/db/archived";
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

/** What the agent wrote, and whether there is more of it. */
type AgentNotes = { readonly notes: readonly string[]; readonly moreNotes: boolean };

/**
 * The text parts of the accepted messages, oldest first: what the agent wrote to the reviewer. Where the archive does not
 * give a message, it is said that some are missing.
 */
export async function agentNotes(store: Store, { shown, ...query }: NotesQuery): Promise<ArchiveReading<AgentNotes>> {
  const { limit, bytesMax, charsMax } = bounds[shown];
  const none = { bodies: [], leftOut: 0, lost: 0 };
  const { value, failure } = await orWithout(lastMessages(store, { ...query, limit, bytesMax }), none);
  const { bodies, leftOut, lost } = value;
  const all = bodies.flatMap(notesIn).toReversed();
  let chars = 0;
  const tooFar = all.findIndex((note, index) => (chars += note.length) > charsMax && index > 0);
  const notes = all.slice(0, tooFar < 0 ? all.length : tooFar).toReversed();
  const moreNotes = leftOut > 0 || bodies.length === limit || notes.length < all.length;
  return { value: { notes, moreNotes }, failure: lost > 0 ? "lost" : failure };
}

function notesIn(body: Uint8Array): readonly string[] {
  // Safe because the endpoint checked the message before it was stored.
  const { parts } = JSON.parse(Buffer.from(body).toString()) as { parts: { kind: string; text?: string }[] };
  return parts.flatMap((part) => (part.kind === "text" && part.text ? [part.text] : []));
}
