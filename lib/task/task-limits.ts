import { storedBytes } from "#lib/task/store/messages";
import type { Tx } from "#lib/db/db";
import type { TaskRow } from "#lib/task/store/task-rows";
import { messageProblems } from "#lib/messages/problems/agent";
import type { InboundMessage } from "./inbound-message.ts";
import type { Issue } from "./refusal.ts";

/** The most revisions of one task, because each is stored for its life. */
export const revisionsMax = 100;

/** The most bytes stored for one task: its messages, its files, and what was frozen at each of its gates. */
const storedBytesMax = 256 * 1024 * 1024;

/** Extra bytes for voids, so that a full task can still be voided at the payer. */
const bytesForVoids = 16 * 1024 * 1024;

type Place = { readonly tx: Tx; readonly row: TaskRow };

/** Why a task has no room for one more message. Empty if it has. */
export async function fullTaskIssues(
  { tx, row }: Place,
  { ask, body }: Pick<InboundMessage, "ask" | "body">,
  most = storedBytesMax,
): Promise<readonly Issue[]> {
  const isVoid = ask.skill === "prior_auth_void";
  if (!isVoid && row.revision >= revisionsMax) return full(messageProblems.revisionsFull(revisionsMax));
  const files = isVoid ? 0 : ask.files.reduce((sum, { size }) => sum + size, 0);
  const bytesMax = most + (isVoid ? bytesForVoids : 0);
  const kept = await storedBytes(tx, { taskId: row.id, practiceId: row.practice_id });
  if (kept + body.length + files <= bytesMax) return [];
  return full(messageProblems.bytesFull(kept, bytesMax));
}

function full(why: string): readonly Issue[] {
  return [{ path: "/message", problem: messageProblems.openAnother(why) }];
}
