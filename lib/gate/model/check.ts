import type { KnownProvider } from "#lib/practice/model/known-provider";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { Action, Outcome } from "#lib/task/model/task";

/** What is checked before a release. A block refuses it; a warning needs an override reason. */
export const levels = {
  "missing-required": "block",
  "payer-requires": "block",
  "npi-check-digit": "block",
  "practice-suspended": "block",
  "no-route": "block",
  "route-changed": "block",
  "dates-over": "block",
  "exact-duplicate": "block",
  "same-request-open": "warn",
  "existing-approval": "warn",
  "near-duplicate": "warn",
  "no-patient": "warn",
  "unknown-provider": "warn",
  "payer-not-configured": "warn",
  "delegated-in-part": "warn",
  "appeal-late": "warn",
  "dates-reversed": "warn",
  "past-dates": "warn",
  "far-dates": "warn",
  "unusual-quantity": "warn",
  "unknown-code-format": "warn",
  "urgency-unattested": "warn",
  "old-note": "warn",
  "no-attachment": "warn",
  "files-left": "warn",
  "members-left": "warn",
  "unknown-members": "warn",
} as const;

export type CheckType = keyof typeof levels;

// Safe because `levels` has exactly these keys, by type.
export const checkTypes = Object.keys(levels) as readonly CheckType[];

type Level = (typeof levels)[CheckType];

/** Something a person must know before they release. */
export type Check = {
  readonly type: CheckType;
  readonly level: Level;
  /** JSON pointers into the service review. */
  readonly paths: readonly string[];
  /** The values that its text names, in order: dates, codes, numbers. */
  readonly values: readonly string[];
  /** The other case that it compares with. */
  readonly other?: string | undefined;
};

/** What a rule found; its type is added later. */
export type CheckFinding = Partial<Pick<Check, "paths" | "values" | "other">>;

export type Rule = {
  readonly type: CheckType;
  /** Applies to voids too. The others are about the content of the request. */
  readonly ofVoids?: true;
  readonly find: (facts: CaseFacts) => readonly CheckFinding[];
};

/** Another case of the practice for the same member, with at least one code in common, and neither ended nor voided. */
export type OtherCase = {
  readonly taskId: string;
  readonly review: ServiceReview;
  /** That review is released, being submitted, or with the payer. */
  readonly left: boolean;
  /** What the payer has, where that is an earlier review; the determination is then the answer to this one. */
  readonly received?: ServiceReview | undefined;
  /** The day it was opened, in the practice's zone. */
  readonly openedOn: string;
  readonly determination?: { readonly outcome: Outcome; readonly validTo?: string | undefined } | undefined;
  /** The case at hand says that it renews or extends this one. */
  readonly isEarlier?: boolean | undefined;
};

/** What the checks look at. Days are YYYY-MM-DD, in the practice's time zone. */
export type CaseFacts = {
  readonly action: Action;
  /** The payer has the case already. */
  readonly update: boolean;
  readonly review: ServiceReview;
  readonly today: string;
  readonly openedOn: string;
  /** JSON pointers of what the payer connection still needs. */
  readonly missing: readonly string[];
  /** JSON pointers of what the payer requires in every request, as set for its connection. */
  readonly required: readonly string[];
  /** The practice's own providers. Empty if it has not listed any. */
  readonly providers: readonly KnownProvider[];
  /** JSON pointers of what the payer's format has no place for. */
  readonly leftOut: readonly string[];
  /** The payer's last day to contest its determination, if known. */
  readonly appealBy?: string | undefined;
  readonly files: { readonly count: number; readonly left: boolean };
  readonly practiceActive: boolean;
  readonly route: { readonly configured: boolean; readonly reachable: boolean; readonly changed: boolean };
  /** Procedures that the payer has somebody else review, where the request goes to the payer for the others' sake. */
  readonly delegatedInPart?: { readonly name: string; readonly procedures: readonly number[] } | undefined;
  readonly others: readonly OtherCase[];
};

/** Identifies one check of one case, so that a release can name the checks that its page showed. */
export function keyOf({ type, other, paths }: Pick<Check, "type" | "other" | "paths">): string {
  // The names of unknown members come from the agent, so they are left out of the key. The revision fixes which there
  // are.
  const about = ["unknown-members", "members-left", "missing-required", "payer-requires"].includes(type) ? [] : paths;
  return [type, ...(other ? [other] : []), ...about].join(":");
}

const dayMs = 24 * 60 * 60 * 1000;

/** Days from one date to the other; NaN if either is no date. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs);
}

/** A check as the page shows it. A release refers to it by its `key`. */
export type CaseCheck = Check & {
  readonly key: string;
  readonly needsReason: boolean;
  readonly otherShortId?: string | undefined;
};
