import type { CallAdmission, CallArrival, CallEnvelope, CallTurn, CallWeight } from "#lib/a2a/call";
import { mainThreadBytesMax } from "#lib/a2a/long-call-thread";
import type { CallError } from "#lib/a2a/reply/faults";
import { forPractices } from "#lib/db/for-practices";
import { openedBytes } from "#lib/task/store/opened-bytes";
import { requestedAccess } from "./requested-access.ts";

/** How many stored bytes the call opens. Only a message that continues a task opens files and documents again. */
export async function weighCall({
  deps,
  actor,
  method,
  params,
}: CallArrival & CallEnvelope & CallAdmission): Promise<CallWeight> {
  const taskId = method === "message/send" ? requestedAccess(method, params).taskId : undefined;
  if (taskId === undefined) return { openedBytes: 0 };
  const { practices } = actor;
  return { openedBytes: await openedBytes(forPractices(deps.store, practices), { taskId, practices }) };
}

/** Whether other calls would wait noticeably while so many bytes are opened or read. */
export function isLong(bytes: number): boolean {
  return bytes > mainThreadBytesMax;
}

/** A call that opens many bytes waits for its channel's turn, so that many of them do not delay other channels. */
export async function takeTurn({ deps, actor, openedBytes: bytes }: CallArrival & CallAdmission & CallWeight) {
  if (!isLong(bytes)) return { endTurn: () => undefined } satisfies CallTurn;
  const endTurn = await deps.load.amendLong(actor.id);
  return endTurn ? ({ endTurn } satisfies CallTurn) : ({ fault: "busy", retryAfterS: 2 } satisfies CallError);
}
