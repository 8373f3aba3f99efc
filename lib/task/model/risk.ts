import type { Action } from "./task.ts";

export const risks = ["ordinary", "high"] as const;

/** How much hangs on an action; a practice may ask more people to release what is high. */
export type Risk = (typeof risks)[number];

/** Decided once, when the gate opens: high is a void of what the payer has decided, and whatever carries a warning. */
export function riskOf(opening: { action: Action; determined: boolean; warnings: readonly string[] }): Risk {
  const { action, determined, warnings } = opening;
  return (action === "void" && determined) || warnings.length > 0 ? "high" : "ordinary";
}
