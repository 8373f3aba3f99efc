import type { Action } from "./task.ts";

export const risks = ["ordinary", "high"] as const;

/** How serious an action is; a practice may require more people to release a high risk. */
export type Risk = (typeof risks)[number];

/** Decided once, when the gate opens. High: a void of a decided request, and whatever has a warning. */
export function riskOf(opening: { action: Action; determined: boolean; warnings: readonly string[] }): Risk {
  const { action, determined, warnings } = opening;
  return (action === "void" && determined) || warnings.length > 0 ? "high" : "ordinary";
}
