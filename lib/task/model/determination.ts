import type { Attachment } from "./attachment.ts";
import type { AppealTerms } from "./recourse.ts";
import { isAuthorization } from "./renewal.ts";
import type { Outcome, DeterminationFact, PayerFacts } from "./task.ts";

/** The review action codes of X12 306 that are understood. An answer with any other is for a person. */
export const reviewActionCodes = ["A1", "A2", "A3", "A4", "A6", "C", "CT", "NA"] as const;

export type ReviewAction = (typeof reviewActionCodes)[number];

export function isReviewAction(code: string): code is ReviewAction {
  // Safe because the list is only searched.
  return (reviewActionCodes as readonly string[]).includes(code);
}

/** Whether the payer authorizes the line with it, at least in part. */
export function isAuthorizing(action: ReviewAction): boolean {
  return action === "A1" || action === "A2" || action === "A6";
}

/** What was requested or authorized on one line. The quantity is in `unit`; dates are YYYY-MM-DD. */
export type LineTerms = {
  readonly code?: string | undefined;
  /** Kept where those that are authorized are not those that were asked for. */
  readonly modifiers?: readonly string[] | undefined;
  readonly quantity?: number | undefined;
  readonly unit?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Who provides it: NPIs, or what else the payer knows a provider by. */
  readonly providers?: readonly string[] | undefined;
  /** Where it is provided (CMS place of service). */
  readonly place?: string | undefined;
};

export type DeterminationLine = {
  readonly sequence: number;
  readonly action: ReviewAction;
  readonly requested?: LineTerms | undefined;
  readonly authorized?: LineTerms | undefined;
  /** The days on which this line is in force, where they are not those of the whole. */
  readonly validFrom?: string | undefined;
  readonly validTo?: string | undefined;
  /** The authorization number of this line. */
  readonly number?: string | undefined;
  /** X12 reason codes, without their text. */
  readonly reasons: readonly string[];
  /** What the payer says of this line alone, in its own words. */
  readonly notes?: readonly string[] | undefined;
};

/** How a person learned what the payer decided. */
export const learnedVia = ["letter", "portal", "phone", "fax"] as const;

export type LearnedBy = {
  readonly by: (typeof learnedVia)[number];
  /** The person at the payer who said so. */
  readonly from?: string | undefined;
};

/** What the payer decided, as it is stored and shown to agent and reviewer. Instants are RFC 3339 UTC. */
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
  /** The day of the decision, YYYY-MM-DD, where the payer names the day alone. */
  readonly decidedOn?: string | undefined;
  /** `connector`: read from the payer's wire. `person`: recorded by a person, with their source. */
  readonly source: "connector" | "person";
  readonly evidence?: string | undefined;
  readonly learned?: LearnedBy | undefined;
  /** Until when and how the payer says that it can be contested. */
  readonly appeal?: AppealTerms | undefined;
  /** The payer's letter; its bytes are stored with the files of the task. */
  readonly document?: Pick<Attachment, "sha256" | "contentType" | "size"> | undefined;
};

/**
 * The last day on which all that was authorized is, YYYY-MM-DD: where lines end on days of their own, the first of these.
 * Undefined if the payer names none.
 */
export function lastAuthorizedDay({ outcome, validTo, lines }: Determination): string | undefined {
  if (!isAuthorization(outcome)) return undefined;
  const [first] = [validTo, ...lines.map((line) => line.validTo)].flatMap((day) => day ?? []).toSorted();
  return (
    first ??
    lines
      .flatMap(({ authorized }) => authorized?.to ?? [])
      .toSorted()
      .at(-1)
  );
}

/** Certified in part, denied, and modified. */
const notAsRequested: ReadonlySet<ReviewAction> = new Set(["A2", "A3", "A6"]);

/** The payer's reason codes for lines that it did not approve as requested, each once. What is no code is left out. */
export function reasonCodes({ lines }: Pick<Determination, "lines">): readonly string[] {
  const given = lines.filter(({ action }) => notAsRequested.has(action)).flatMap(({ reasons }) => reasons);
  return [...new Set(given.map((code) => code.trim().toUpperCase()))].filter((code) => /^[A-Z0-9]{1,4}$/.test(code));
}

/** What the payer's answers for the lines amount to. */
export type Verdict =
  | { readonly type: "final"; readonly outcome: Outcome }
  | { readonly type: "pended" }
  | { readonly type: "cancelled" }
  | { readonly type: "contact-payer" }
  | { readonly type: "unclear" };

/** Whether an action decides on its line, so that it may stand in a final verdict beside other decisions. */
const decidesLine: Readonly<Record<ReviewAction, boolean>> = {
  ...{ A1: true, A2: true, A3: true, A6: true, NA: true },
  ...{ A4: false, C: false, CT: false },
};

/**
 * Combines the actions of all requested lines; undefined stands for a missing or unknown action. If any line is pended,
 * it is not final. If any is missing or unknown, a person decides; it is never an approval.
 */
export function verdictOf(actions: readonly (ReviewAction | undefined)[]): Verdict {
  if (actions.length === 0 || actions.includes(undefined)) return { type: "unclear" };
  if (actions.includes("CT")) return { type: "contact-payer" };
  if (actions.includes("A4")) return { type: "pended" };
  if (actions.every((action) => action === "C")) return { type: "cancelled" };
  if (actions.includes("C")) return { type: "unclear" };
  if (actions.every((action) => action === "NA")) return { type: "final", outcome: "not-required" };
  if (actions.every((action) => action === "A1" || action === "NA")) return { type: "final", outcome: "approved" };
  // What needs no permission is not approved by that.
  if (actions.every((action) => action === "A3" || action === "NA")) return { type: "final", outcome: "denied" };
  if (!actions.every((action) => action !== undefined && decidesLine[action])) return { type: "unclear" };
  if (actions.includes("A6")) return { type: "final", outcome: "modified" };
  return { type: "final", outcome: "partially-approved" };
}

/** An authorization number as it is compared: letters and digits alone, because payers write hyphens now here, now there. */
export function comparedNumber(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
}

/** The authorization numbers of a determination as they are compared, that of the whole and those of lines, each once. */
export function numbersOf({
  authorizationNumber,
  lines,
}: Pick<Determination, "authorizationNumber" | "lines">): readonly string[] {
  const given = [authorizationNumber ?? "", ...lines.map(({ number = "" }) => number)];
  return [...new Set(given.map(comparedNumber))].filter((number) => number !== "");
}

/** Whether a payer can mean one authorization alone by it: "NOT REQUIRED" and "0000" stand on many, and are no number. */
export function namesOneAuthorization(number: string): boolean {
  return number.length >= 4 && /\d/.test(number) && new Set(number).size > 1;
}

/** How far a payer's clock may be ahead of ours before its date is no longer believed: 5 minutes. */
const aheadMsMax = 5 * 60 * 1000;

type DatedFact = Pick<DeterminationFact, "decidedAt" | "receivedAt">;

/** Whether a decision is dated so long after its receipt that its date can't be used for the order. */
export function isPostdated({ decidedAt, receivedAt }: DatedFact): boolean {
  if (!decidedAt || !receivedAt) return false;
  return decidedAt.getTime() - receivedAt.getTime() > aheadMsMax;
}

/** The first and the last instant at which something happened. */
type Span = { readonly from: Date; readonly to: Date };

const hourMs = 60 * 60 * 1000;

/** A day, YYYY-MM-DD, wherever it is counted: from UTC+14 to UTC-12. */
export function spanOfDay(day: string): Span {
  const start = Date.parse(`${day}T00:00:00Z`);
  return { from: new Date(start - 14 * hourMs), to: new Date(start + 36 * hourMs) };
}

/** Within what a decision was made, by the payer's instant or its day; undefined if nothing that can be believed dates it. */
export function decidedWithin(
  { decidedAt: stated, decidedOn }: Pick<Determination, "decidedAt" | "decidedOn">,
  receivedAt: Date,
): Span | undefined {
  if (stated !== undefined) {
    const decidedAt = new Date(stated);
    return isPostdated({ decidedAt, receivedAt }) ? undefined : { from: decidedAt, to: decidedAt };
  }
  const span = decidedOn === undefined ? undefined : spanOfDay(decidedOn);
  return span && span.from <= receivedAt ? span : undefined;
}

/** The payer's instant of a decision; where it names the day alone, the end of that day, but no later than the receipt. */
export function decisionInstant(
  { decidedAt, decidedOn }: Pick<Determination, "decidedAt" | "decidedOn">,
  receivedAt: Date,
): Date | undefined {
  if (decidedAt !== undefined) return new Date(decidedAt);
  const span = decidedWithin({ decidedOn }, receivedAt);
  return span && (span.to < receivedAt ? span.to : receivedAt);
}

/** The latest time at which a decision can have been made: no later than its receipt. */
export function decidedBy({ decidedAt, receivedAt }: DatedFact): Date | undefined {
  return decidedAt && receivedAt && receivedAt < decidedAt ? receivedAt : decidedAt;
}

/**
 * How a new determination relates to what the payer decided before. If it answers something the payer had not decided
 * on, it is the newer one, whatever its date. If it answers less than the one in force, or nobody knows what it answers while
 * something is undecided, a person must say which applies.
 */
export function orderAfter(
  { determination, undecided }: Pick<PayerFacts, "determination" | "undecided">,
  next: DeterminationFact,
): ReturnType<typeof orderOf> {
  const answers = undecided && next.revision !== undefined && next.revision >= undecided.revision;
  if (answers) return "newer";
  const order = orderOf(determination, next);
  const isOpen = undecided !== undefined && next.revision === undefined;
  const answersLess = (next.revision ?? Infinity) < (determination?.revision ?? 0);
  return (isOpen || answersLess) && order !== "older" ? "unknown" : order;
}

/**
 * How a new decision relates to the one in force, by the payer's dates. `disputed`: one of the two is dated after its
 * receipt, so the one received later counts, and a person is shown the conflict.
 */
function orderOf(current: DatedFact | undefined, next: DatedFact): "newer" | "older" | "unknown" | "disputed" {
  if (!current) return "newer";
  if (isPostdated(current) || isPostdated(next)) return "disputed";
  const [before, after] = [decidedBy(current), decidedBy(next)];
  // What has no date was decided before it was heard.
  if (!before && after && current.receivedAt && after > current.receivedAt) return "newer";
  if (!before || !after || before.getTime() === after.getTime()) return "unknown";
  return after > before ? "newer" : "older";
}
