import type { Admitted, Arrived, Carried } from "./call.ts";
import type { Refused } from "./faults.ts";
import type { Entered } from "./load.ts";

type Answer = Carried | Refused;

/** Rung 5: within the channel's limits and the process's capacity. Whoever passes must `leave`. */
export function checkLoad({ deps, actor, limits }: Arrived & Admitted): Answer | Promise<Answer> {
  const entered = deps.load.enter(actor.id, limits);
  return entered instanceof Promise ? entered.then(told) : told(entered);
}

function told(entered: Entered): Answer {
  return "full" in entered ? { fault: entered.full, retryAfterS: entered.retryAfterS } : { leave: entered.leave };
}
