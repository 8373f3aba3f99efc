import type { CallAdmission, CallArrival, CallBody, CallEnvelope, CallSlot, CallTurn, CallWeight } from "#lib/a2a/call";
import { mainThreadBytesMax } from "#lib/a2a/long-call-thread";
import { type CallError, faultOfFull } from "#lib/a2a/reply/faults";
import { forPractices } from "#lib/db/for-practices";
import { openedBytes } from "#lib/task/shared/opened-bytes";
import { requestedAccess } from "#lib/a2a/params/requested-access";
import type { LoadAdmission } from "./load.ts";
import { admitKey } from "#lib/channel/authenticate-channel";
import { bearerOf, readCredential } from "#lib/channel/channel-key";
import { methodNamed } from "#lib/a2a/methods";

/** Check 4: the channel that a valid key belongs to. Whatever is wrong with a key, the reply is the same. */
export async function checkCredential({
  arrival,
  deps,
  method,
  params,
}: CallArrival & CallEnvelope): Promise<CallAdmission | CallError> {
  const { store, records } = deps;
  const bearer = bearerOf(arrival.header("authorization"));
  const key = bearer === undefined ? undefined : readCredential(store, bearer);
  if (!key) return { fault: "no-credential" };
  const by = { keyId: key.id, secretHash: key.secretHash, address: arrival.address };
  const admitted = await admitKey(store, by, methodNamed(method)?.prefetch?.(params, { keyId: key.id, records }));
  if (!admitted) return { fault: "no-credential" };
  const { actor, limits, prefetched } = admitted;
  return { actor, limits, prefetched };
}

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

type Answer = CallSlot | CallError;

/** Check 5: within the channel's limits and the capacity of the process. A call that passes must `leave` at its end. */
export function checkLoad(call: CallArrival & CallBody & CallEnvelope & CallAdmission): Answer | Promise<Answer> {
  const { deps, actor, limits, method, bytes } = call;
  // No other method stores what it brings.
  const entered = deps.load.enter(actor.id, limits, method === "message/send" ? bytes.length : 0);
  return entered instanceof Promise ? entered.then(answerOf) : answerOf(entered);
}

function answerOf(entered: LoadAdmission): Answer {
  return "full" in entered ? faultOfFull(entered) : { leave: entered.leave };
}
