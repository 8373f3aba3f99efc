import type { KnownProvider } from "#lib/practice/model/known-provider";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { Action, Outcome } from "#lib/task/model/task";

/** What is looked for before a release. A block refuses it; over a warning somebody says why. */
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
type Level = (typeof levels)[CheckType];

/** Something a person must know before they release. */
export type Check = {
  readonly type: CheckType;
  readonly level: Level;
  /** JSON pointers into the service review. */
  readonly paths: readonly string[];
  /** What the words about it name, in their order: dates, codes, numbers. */
  readonly values: readonly string[];
  /** The other case it is about. */
  readonly other?: string | undefined;
};

/** What a rule found, before it is named. */
export type CheckFinding = Partial<Pick<Check, "paths" | "values" | "other">>;

export type Rule = {
  readonly type: CheckType;
  /** Holds for a void too; the others are about what is asked for. */
  readonly ofVoids?: true;
  readonly find: (facts: CaseFacts) => readonly CheckFinding[];
};

/** Another case of the practice for the same member that asks for one of the same codes, and is neither ended nor voided. */
export type OtherCase = {
  readonly taskId: string;
  readonly review: ServiceReview;
  /** Released, on its way, or with the payer. */
  readonly left: boolean;
  /** The day it was opened, in the practice's zone. */
  readonly openedOn: string;
  readonly determination?: { readonly outcome: Outcome; readonly validTo?: string | undefined } | undefined;
};

/** All that the checks look at. Days are YYYY-MM-DD, in the practice's zone. */
export type CaseFacts = {
  readonly action: Action;
  /** The payer has the case already. */
  readonly update: boolean;
  readonly review: ServiceReview;
  readonly today: string;
  readonly openedOn: string;
  /** JSON pointers of what the route in force still needs. */
  readonly missing: readonly string[];
  /** JSON pointers of what the route says its payer requires of every request. */
  readonly required: readonly string[];
  /** Those the practice asks for and with; none where it has not said. */
  readonly providers: readonly KnownProvider[];
  /** JSON pointers of what the payer's wire has no place for. */
  readonly leftOut: readonly string[];
  readonly files: { readonly count: number; readonly left: boolean };
  readonly practiceActive: boolean;
  readonly route: { readonly configured: boolean; readonly reachable: boolean; readonly changed: boolean };
  readonly others: readonly OtherCase[];
};

/** Names one check of one case, so that a release can say which its page showed. */
export function keyOf({ type, other, paths }: Pick<Check, "type" | "other" | "paths">): string {
  // The names of unknown members are the agent's; which there are is fixed by the revision.
  const about = ["unknown-members", "members-left", "missing-required", "payer-requires"].includes(type) ? [] : paths;
  return [type, ...(other ? [other] : []), ...about].join(":");
}

const dayMs = 24 * 60 * 60 * 1000;

/** Days from one to the other; not a number where one is no day. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs);
}
