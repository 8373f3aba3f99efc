import type { PeerToPeer } from "#lib/task/model/recourse";

/** How far a peer-to-peer review has come, after its name. */
export const peerToPeerStatusText: Readonly<Record<PeerToPeer["status"], string>> = {
  requested: "requested",
  scheduled: "scheduled for",
  held: "held",
  canceled: "canceled",
};

/** What came of it, in a few words. */
export const peerToPeerOutcomeText: Readonly<Record<NonNullable<PeerToPeer["outcome"]>, string>> = {
  overturned: "the payer will approve",
  "overturned-in-part": "the payer will approve in part",
  upheld: "the determination is upheld",
  open: "the payer will decide later",
};

/** What contests a determination. */
export const appealText = { reconsideration: "Reconsideration", appeal: "Appeal" } as const;
