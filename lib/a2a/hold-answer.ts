import { authenticateChannel } from "#lib/channel/authenticate-channel";
import { forPractices } from "#lib/db/for-practices";
import { getTask } from "#lib/task/get-task";
import { historyLengthMax } from "#lib/task/message-history";
import { bearerOf } from "#lib/channel/channel-key";
import { requestedAccess } from "./params/requested-access.ts";
import type { CallAdmission, CallArrival, CallResult, NamedCall, Outcome, PassedCall } from "./call.ts";
import { faultOfFull, refusalToFault, type CallError } from "./reply/faults.ts";
import { statusOf } from "./reply/status.ts";
import type { HeldAnswer, Wait } from "./wait.ts";

/**
 * Holds the answer of a call back where the call asks for it and the task is not yet as it wants it. Then the call's
 * rights are looked up and the task is read again. Meanwhile it has left every place but one of those for waiting, and
 * nothing of what it sent is kept.
 */
export async function holdIfRequested({ call, began }: NamedCall, outcome: Outcome): Promise<Outcome> {
  if ("refused" in outcome || !call.deps.watch) return outcome;
  const isNoted = "reply" in outcome ? true : undefined;
  const held = "reply" in outcome ? outcome.held : heldAnswer(outcome.passed);
  if (!held) return outcome;
  leaveAll(call);
  forgetBody(call);
  const heldFrom = performance.now();
  const ended = await untilEnded(call, held, began);
  Object.assign(call, { heldMs: Math.round(performance.now() - heldFrom) });
  if (!ended) return outcome;
  if ("fault" in ended) return { refused: { ...ended, id: held.id }, isNoted };
  Object.assign(call, ended);
  return { passed: { ...ended, id: held.id }, isNoted };
}

/** Gives back every place that a call has; a second time changes nothing. `isTurnedAway`: it found no room after all. */
export function leaveAll(call: NamedCall["call"], isTurnedAway = false): void {
  const { endTurn, leave, releaseBody } = call;
  Object.assign(call, { endTurn: undefined, leave: undefined, releaseBody: undefined });
  endTurn?.();
  leave?.(isTurnedAway);
  releaseBody?.();
}

function forgetBody(call: NamedCall["call"]): void {
  const requested = requestedAccess(call.method, call.params);
  Object.assign(call, { requested, params: undefined, bytes: undefined, json: undefined, command: undefined });
}

/** What this answer is held back for; undefined where the task is as the call wants it, or the call does not wait. */
export function heldAnswer({ id, actor, record, command }: PassedCall): HeldAnswer | undefined {
  const wait = command?.wait;
  if (!wait || !isUnderWay(wait, record)) return undefined;
  const { id: taskId, practiceId, version } = record;
  return { id, channelId: actor.id, taskId, practiceId, version, wait };
}

function isUnderWay({ until }: Wait, record: CallResult["record"]): boolean {
  if (until === "changed") return "isUnchanged" in record;
  const { status, by } = statusOf(record.task, "isUnchanged" in record ? undefined : record.gate);
  return status === "working" && by !== "agent";
}

type CallEnd = (CallAdmission & CallResult) | CallError;

/**
 * Undefined when nobody waits for the answer any more, and where there is no place to hold back that of a message: what
 * was done is told all the same.
 */
async function untilEnded(call: CallArrival, held: HeldAnswer, began: number): Promise<CallEnd | undefined> {
  const { deps, arrival } = call;
  const { channelId, taskId, practiceId, wait } = held;
  const entered = deps.load.enterWait(channelId);
  if ("full" in entered) return wait.until === "settled" ? undefined : faultOfFull(entered);
  // Calls that began together do not end together, and each leaves time to read the task again before the time it named.
  const endsAt = performance.now() + wait.ms * (0.95 - 0.05 * Math.random());
  let [version, readAt] = [held.version, began];
  try {
    for (;;) {
      const ms = endsAt - performance.now();
      const end = await deps.watch?.untilChanged({ taskId, practiceId, version, readAt, ms, onGone: arrival.onGone });
      if (end === "gone") return undefined;
      readAt = performance.now();
      const ended = await readAgain(call, held);
      if ("fault" in ended && ended.fault === "busy" && wait.until === "settled") return undefined;
      if ("fault" in ended || end !== "changed" || performance.now() >= endsAt) return ended;
      if (!isUnderWay(wait, ended.record)) return ended;
      version = ended.record.version;
    }
  } finally {
    entered.leave();
  }
}

/** Few at a time, so that calls that did not wait are answered between them. */
async function readAgain({ arrival, deps }: CallArrival, { channelId, taskId, wait }: HeldAnswer): Promise<CallEnd> {
  const leave = await deps.load.endWait(channelId);
  if (!leave) return { fault: "busy", retryAfterS: 2 };
  try {
    const { historyAfter } = wait.reading;
    const historyLength = historyAfter === undefined ? Math.min(wait.reading.historyLength, historyLengthMax) : 0;
    const bearer = bearerOf(arrival.header("authorization"));
    const wanted = { taskId, historyLength };
    const admitted = await authenticateChannel(deps.store, bearer, { address: arrival.address, wanted });
    if (!admitted) return { fault: "no-credential" };
    const { actor, limits, prefetched } = admitted;
    const store = forPractices(deps.store, actor.practices);
    const read = await getTask({ actor, store }, { taskId, ...wait.reading, prefetched });
    return read.ok ? { actor, limits, prefetched, record: read.value } : refusalToFault(read.refusal);
  } finally {
    leave();
  }
}
