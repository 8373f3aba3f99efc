/** One reviewer's release among those a gate needs, as the rules stand when it is given. */
export type Ballot = {
  /** Whose release this is. */
  readonly by: string;
  /** How many different people it takes. */
  readonly needed: number;
  /** Who released at this very gate before, and may still release. */
  readonly given: readonly string[];
  /** Who answers for a channel that asked for this, and so never releases it. */
  readonly owners: readonly string[];
};

/** How many different people have released once this one has. */
export function votesWith({ by, given }: Pick<Ballot, "by" | "given">): number {
  return new Set([...given, by]).size;
}

/** Whether this release is the last one needed. */
export function isEnough(ballot: Ballot): boolean {
  return votesWith(ballot) >= ballot.needed;
}
