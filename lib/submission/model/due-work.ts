/** A task to work on, and the practice whose scope the work is done in. */
export type DueTask = { readonly taskId: string; readonly practiceId: string };

/** A release to submit now, and the payer host it goes to. */
export type DueRelease = DueTask & { readonly payerHost: string };

export type ReserveOptions = {
  /** The most releases to take. */
  readonly most: number;
  /** How many may be taken for a payer host; for those that are not named, `otherHosts`. */
  readonly hosts: ReadonlyMap<string, number>;
  readonly otherHosts: number;
  /** How many this worker has in hand of each practice: whoever has many waits behind those who have fewer. */
  readonly inHand: ReadonlyMap<string, number>;
  /** How many it may have in hand of one practice. */
  readonly eachPractice: number;
};
