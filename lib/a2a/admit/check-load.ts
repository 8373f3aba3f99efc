import type { CallAdmission, CallArrival, CallSlot, CallEnvelope, CallBody } from "#lib/a2a/call";
import type { CallError } from "#lib/a2a/reply/faults";
import type { LoadAdmission } from "./load.ts";

type Answer = CallSlot | CallError;

/** Check 5: within the channel's limits and the capacity of the process. A call that passes must `leave` at its end. */
export function checkLoad(call: CallArrival & CallBody & CallEnvelope & CallAdmission): Answer | Promise<Answer> {
  const { deps, actor, limits, method, bytes } = call;
  // No other method stores what it brings.
  const entered = deps.load.enter(actor.id, limits, method === "message/send" ? bytes.length : 0);
  return entered instanceof Promise ? entered.then(answerOf) : answerOf(entered);
}

function answerOf(entered: LoadAdmission): Answer {
  return "full" in entered ? { fault: entered.full, retryAfterS: entered.retryAfterS } : { leave: entered.leave };
}
