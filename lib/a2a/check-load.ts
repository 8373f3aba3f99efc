import type { Admitted, Arrived, Carried } from "./call.ts";
import type { Refused } from "./faults.ts";

/** Rung 5: within the channel's rate and the process's capacity. Whoever passes must `leave`. */
export function checkLoad({ deps, actor }: Arrived & Admitted): Carried | Refused {
  const entered = deps.load.enter(actor.id, performance.now());
  return "full" in entered ? { fault: entered.full, retryAfterS: entered.retryAfterS } : { leave: entered.leave };
}
