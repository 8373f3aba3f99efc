import type { CallAdmission, CallArrival, CallPlace, CallEnvelope, CallBody } from "#lib/a2a/call";
import type { CallError } from "#lib/a2a/reply/faults";
import type { LoadAdmission } from "./load.ts";

type Answer = CallPlace | CallError;

/** Rung 5: within the channel's limits and the process's capacity. Whoever passes must `leave`. */
export function checkLoad(call: CallArrival & CallBody & CallEnvelope & CallAdmission): Answer | Promise<Answer> {
  const { deps, actor, limits, method, bytes } = call;
  // Of the methods this one alone keeps what it brings.
  const entered = deps.load.enter(actor.id, limits, method === "message/send" ? bytes.length : 0);
  return entered instanceof Promise ? entered.then(told) : told(entered);
}

function told(entered: LoadAdmission): Answer {
  return "full" in entered ? { fault: entered.full, retryAfterS: entered.retryAfterS } : { leave: entered.leave };
}
