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
