import { risks, type Risk } from "./risk.ts";
import type { Action } from "./task.ts";

/** What a practice asks for before an action of a risk is released. */
export type VoteRule = {
  readonly action: Action;
  readonly risk: Risk;
  /** How many different people have to release it. */
  readonly votes: number;
  /** Whether each of them proves again who they are. */
  readonly stepUp: boolean;
};

export const votesMax = 5;

export const actions = ["transmit", "void"] as const satisfies readonly Action[];

/** The rule for every action and risk: the practice's own where it made one, else one person without further proof. */
export function completeRules(own: readonly VoteRule[]): readonly VoteRule[] {
  return actions.flatMap((action) =>
    risks.map((risk) => {
      const made = own.find((rule) => rule.action === action && rule.risk === risk);
      return made ?? { action, risk, votes: 1, stepUp: false };
    }),
  );
}
