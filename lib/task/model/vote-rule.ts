import { risks, type Risk } from "./risk.ts";
import type { Action } from "./task.ts";

/** What a practice requires before an action of a certain risk is released. */
export type VoteRule = {
  readonly action: Action;
  readonly risk: Risk;
  /** How many different people must release it. */
  readonly votes: number;
  /** Whether each of them must verify their identity again. */
  readonly stepUp: boolean;
};

export const votesMax = 5;

export const actions = ["transmit", "void"] as const satisfies readonly Action[];

/** The rule for every action and risk: the practice's own, else one person without further verification. */
export function completeRules(own: readonly VoteRule[]): readonly VoteRule[] {
  return actions.flatMap((action) =>
    risks.map((risk) => {
      const made = own.find((rule) => rule.action === action && rule.risk === risk);
      return made ?? { action, risk, votes: 1, stepUp: false };
    }),
  );
}
