import type { Action } from "./task.ts";

export const risks = ["ordinary", "high"] as const;

/** How serious an action is; a practice may require more people to release a high risk. */
export type Risk = (typeof risks)[number];

/** Decided once, when the gate opens. High: a void of a decided request, and whatever has a warning. */
export function riskOf(opening: { action: Action; determined: boolean; warnings: readonly string[] }): Risk {
  const { action, determined, warnings } = opening;
  return (action === "void" && determined) || warnings.length > 0 ? "high" : "ordinary";
}

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

/** One reviewer's release at a gate, with the rules that apply when it is given. */
export type Ballot = {
  /** The person who gives this release. */
  readonly by: string;
  /** How many different people must release. */
  readonly needed: number;
  /** Who has released at this gate before, and may still release. */
  readonly given: readonly string[];
  /** The owners of the channels that requested this; an owner never releases it. */
  readonly owners: readonly string[];
};

/** How many different people have released, including this one. */
export function votesWith({ by, given }: Pick<Ballot, "by" | "given">): number {
  return new Set([...given, by]).size;
}

/** Whether this release completes the number needed. */
export function isEnough(ballot: Ballot): boolean {
  return votesWith(ballot) >= ballot.needed;
}
