/** Until when and how a determination can be contested, as the payer says. */
export type AppealTerms = {
  /** The last day, YYYY-MM-DD. */
  readonly by?: string | undefined;
  /** In the payer's words: an address, a form, a portal. */
  readonly how?: string | undefined;
};

/** How far a peer-to-peer review has come: a talk of the practice's clinician with the payer's. */
export const peerToPeerStatuses = ["requested", "scheduled", "held", "canceled"] as const;

/** What the payer's clinician said. The payer's own word is the determination that follows. */
export const peerToPeerOutcomes = ["overturned", "overturned-in-part", "upheld", "open"] as const;

export type PeerToPeer = {
  readonly status: (typeof peerToPeerStatuses)[number];
  /** When it is to be held, or was. */
  readonly at?: Date | undefined;
  /** Only if it was held. */
  readonly outcome?: (typeof peerToPeerOutcomes)[number] | undefined;
};

/** What can be done, and was done, about the determination in force. The next determination ends it. */
export type Recourse = {
  readonly terms?: AppealTerms | undefined;
  readonly peerToPeer?: PeerToPeer | undefined;
  /** The practice takes no further action. */
  readonly closed?: boolean | undefined;
};

/** Only what is known, because what is kept is compared as text. Undefined if nothing is. */
export function appealTerms({ by, how }: AppealTerms): AppealTerms | undefined {
  return by || how ? { ...(by ? { by } : {}), ...(how ? { how } : {}) } : undefined;
}
