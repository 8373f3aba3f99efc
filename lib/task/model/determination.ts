import type { Attachment } from "./attachment.ts";
import type { Outcome } from "./task.ts";

/** Review action codes of X12 306 as PAS carries them. The labels are ours. */
export const reviewActions = {
  A1: "certified in total",
  A2: "certified in part",
  A3: "not certified",
  A4: "pended",
  A6: "modified",
  C: "cancelled",
  CT: "contact the payer",
  NA: "no certification required",
} as const;

export type ReviewAction = keyof typeof reviewActions;

/** What was asked for or authorized on one line; quantities in the unit beside them, dates YYYY-MM-DD. */
export type LineTerms = {
  readonly code?: string | undefined;
  readonly quantity?: number | undefined;
  readonly unit?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

export type DeterminationLine = {
  readonly sequence: number;
  readonly action: ReviewAction;
  readonly requested?: LineTerms | undefined;
  readonly authorized?: LineTerms | undefined;
  /** The line's own authorization number. */
  readonly number?: string | undefined;
  /** X12 reason codes, without their text. */
  readonly reasons: readonly string[];
};

/** How a person came to know what the payer decided. */
export const waysLearned = ["letter", "portal", "phone", "fax"] as const;

export type LearnedBy = {
  readonly by: (typeof waysLearned)[number];
  /** Who at the payer said so. */
  readonly from?: string | undefined;
};

/** What the payer decided, as it is kept and shown to agent and reviewer. Instants are RFC 3339 UTC. */
export type Determination = {
  readonly outcome: Outcome;
  readonly authorizationNumber?: string | undefined;
  readonly reference?: string | undefined;
  readonly validFrom?: string | undefined;
  readonly validTo?: string | undefined;
  readonly lines: readonly DeterminationLine[];
  readonly notes: readonly string[];
  readonly humanReviewed?: boolean | undefined;
  readonly decidedAt?: string | undefined;
  /** `connector`: read from the payer's wire; `person`: recorded by one, with what it rests on. */
  readonly source: "connector" | "person";
  readonly evidence?: string | undefined;
  readonly learned?: LearnedBy | undefined;
  /** The payer's letter; its bytes are kept with the files of the task. */
  readonly document?: Pick<Attachment, "sha256" | "contentType" | "size"> | undefined;
};

/** What the payer's line answers amount to together. */
export type Verdict =
  | { readonly type: "final"; readonly outcome: Outcome }
  | { readonly type: "pended" }
  | { readonly type: "cancelled" }
  | { readonly type: "contact-payer" }
  | { readonly type: "unclear" };

/**
 * Reads the lines together, given one action (or undefined for a missing or
 * unknown one) for each line that was asked. Anything pended is not final;
 * anything missing or unknown is for a person, never an approval.
 */
export function verdictOf(actions: readonly (ReviewAction | undefined)[]): Verdict {
  if (actions.length === 0 || actions.includes(undefined)) return { type: "unclear" };
  if (actions.includes("CT")) return { type: "contact-payer" };
  if (actions.includes("A4")) return { type: "pended" };
  if (actions.every((action) => action === "C")) return { type: "cancelled" };
  if (actions.includes("C")) return { type: "unclear" };
  if (actions.every((action) => action === "NA")) return { type: "final", outcome: "not-required" };
  if (actions.every((action) => action === "A1" || action === "NA")) return { type: "final", outcome: "approved" };
  if (actions.every((action) => action === "A3")) return { type: "final", outcome: "denied" };
  if (actions.includes("A6")) return { type: "final", outcome: "modified" };
  return { type: "final", outcome: "partially-approved" };
}
