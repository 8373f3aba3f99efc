import type { AppealTerms, PeerToPeer } from "#lib/task/model/recourse";

/** One step of a peer-to-peer review: its people, and what was said. Its time has a column. */
export type PeerToPeerNote = {
  readonly kind: "peer-to-peer";
  readonly status: PeerToPeer["status"];
  readonly outcome?: PeerToPeer["outcome"];
  /** Who of the practice holds it. */
  readonly clinician?: string | undefined;
  /** Who of the payer. */
  readonly counterpart?: string | undefined;
  readonly note?: string | undefined;
};

/** What a person recorded about contesting a determination, as it is sealed. Notes are never rewritten. */
export type RecourseNote =
  | PeerToPeerNote
  | ({ readonly kind: "appeal-terms"; readonly evidence: string } & AppealTerms)
  | { readonly kind: "accepted"; readonly reason: string };
