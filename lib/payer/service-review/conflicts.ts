import {
  authorizationConflicts,
  type Days,
  type LineAnswer,
  type StatedTerms,
} from "#lib/payer/model/authorization-conflicts";
import { reviewReasons } from "#lib/messages/reasons/service-review-reply";
import type { ReviewAction } from "#lib/task/model/determination";
import { isDate } from "#lib/task/model/formats";
import type { ServiceReview } from "#lib/task/model/service-review";
import { dayOf } from "#lib/payer/agreed-value";
import { idsOf, requestedProviders } from "./identity.ts";
import type { Review, ReviewLine } from "./reply.ts";
import type { FrozenRequest } from "./frozen-request.ts";

/** One line that was asked, and what the reply says to it. */
export type AnsweredLine = {
  readonly sequence: number;
  readonly requested: StatedTerms;
  readonly reply: ReviewLine;
  readonly action: ReviewAction;
};

export type AnswerTerms = {
  readonly sent: FrozenRequest;
  /** The request as it stood when that was sent. */
  readonly requested: ServiceReview;
  readonly review: Review;
  readonly lines: readonly AnsweredLine[];
  /** The action for the whole, where one stands there. */
  readonly header: ReviewAction | undefined;
  /** The reply says that the exchange with the payer is over. */
  readonly isComplete: boolean;
  readonly requestedAt: Date;
  readonly receivedAt: Date;
};

/** Further away than the wrong offset of any time zone puts a date. */
const offsetMsMax = 24 * 60 * 60 * 1000;

/** Most contradictions that are listed. */
const conflictsMax = 5;

/**
 * Where what a review says contradicts itself or what was asked, one sentence
 * each. This wire hands back the request with the payer's word over it, so what
 * stands there is taken for what the payer states.
 */
export function conflictsIn({
  sent,
  requested,
  review,
  lines,
  header,
  isComplete,
  requestedAt,
  receivedAt,
}: AnswerTerms): readonly string[] {
  const providers = review.renderingProviders.map(idsOf);
  const conflicts = authorizationConflicts({
    lines: lines.map((line) => lineAnswer(line, wholeTerms(sent, review))),
    header,
    processing: isComplete ? "complete" : undefined,
    validity: validityOf(review),
    providers,
    requestedProviders: requestedProviders(requested),
    decidedOn: dayOf(review.certificationIssueDate),
    requestedAt,
  });
  const unread = hasUnreadable(review) ? [reviewReasons.unreadableTerm] : [];
  const ahead = isAhead(review, receivedAt) ? [reviewReasons.datedAhead] : [];
  const before = sent.kind === "create" && isBefore(review, requestedAt) ? [reviewReasons.datedBefore] : [];
  return [...unread, ...ahead, ...before, ...conflicts].slice(0, conflictsMax);
}

function lineAnswer({ sequence, action, requested, reply }: AnsweredLine, whole: readonly StatedTerms[]): LineAnswer {
  const stated = [termsOf(reply), ...whole];
  const handedBack = (action === "A6" || action === "A3") && !stated.some((terms) => isOther(terms, requested));
  return { sequence, action, requested, authorized: handedBack ? [] : stated, validity: validityOf(reply) };
}

/** Whether terms differ from those asked; those handed back as they came say nothing of a change or a denial. */
function isOther(stated: StatedTerms, requested: StatedTerms): boolean {
  return (["code", "quantity", "unit", "from", "to"] as const).some(
    (name) => stated[name] !== undefined && stated[name] !== requested[name],
  );
}

/** What a review states as authorized on one line. */
export function termsOf(reply: ReviewLine): StatedTerms {
  const { code, modifierCode1, modifierCode2, modifierCode3, modifierCode4, quantityTypeCode } = reply;
  const modifiers = [modifierCode1, modifierCode2, modifierCode3, modifierCode4].flatMap((each) => each || []);
  return {
    code,
    modifiers: modifiers.length > 0 ? modifiers : undefined,
    quantity: amount(reply.quantity),
    unit: quantityTypeCode,
    from: dayOf(reply.fromDate),
    to: dayOf(reply.toDate),
  };
}

/** What is said of the whole and is not simply what was asked there: it is stated for every line. */
function wholeTerms({ whole, lines }: FrozenRequest, review: Review): readonly StatedTerms[] {
  const requested = [...lines.values()];
  const [quantity, unit] = [amount(review.quantity), review.quantityTypeCode];
  const total = whole.quantity ?? requested.reduce((sum, line) => sum + (line.quantity ?? Number.NaN), 0);
  const isUnit = isBlank(unit) || unit === (whole.unit ?? requested[0]?.unit);
  const isQuantity = quantity === undefined || quantity === total;
  const [from, to] = [dayOf(review.fromDate), dayOf(review.toDate)];
  const sameDays = from === whole.from && (to === whole.to || to === whole.from);
  return [
    ...(isQuantity && isUnit ? [] : [{ quantity, unit }]),
    ...((from === undefined && to === undefined) || sameDays ? [] : [{ from, to }]),
  ];
}

function validityOf(part: ReviewLine | Review): Days {
  return { from: dayOf(part.certificationEffectiveDate), to: dayOf(part.certificationExpirationDate) };
}

function amount(text: string | undefined): number | undefined {
  return isBlank(text) ? undefined : Number(text);
}

/** A quantity that is no decimal number or a day that is none, wherever a decision would rest on it. */
function hasUnreadable(review: Review): boolean {
  return [review, ...review.procedures].some(
    ({ quantity, fromDate, toDate, ...part }) =>
      (!isBlank(quantity) && !/^\d{1,9}(?:\.\d{1,9})?$/.test(quantity)) ||
      [
        ...[fromDate, toDate, part.certificationEffectiveDate, part.certificationExpirationDate],
        part.certificationIssueDate,
      ].some((date) => !isBlank(date) && !isDay(date)),
  );
}

/** A day, or the day of an instant, and nothing behind it that may be a condition. */
function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text) && isDate(text.slice(0, 10));
}

function isBlank(text: string | undefined): text is "" | undefined {
  return text === undefined || text.trim() === "";
}

/** The days on which a review was updated and anything of it issued. */
function decidedIn({ updatedDate, certificationIssueDate, procedures }: Review): readonly number[] {
  const issued = procedures.map((each) => each.certificationIssueDate);
  return [updatedDate, certificationIssueDate, ...issued].flatMap((date) => {
    const day = dayOf(date);
    return day === undefined ? [] : [Date.parse(day)];
  });
}

function isAhead(review: Review, receivedAt: Date): boolean {
  return decidedIn(review).some((day) => day - receivedAt.getTime() > offsetMsMax);
}

/** A first request cannot have been decided before it was made. */
function isBefore(review: Review, requestedAt: Date): boolean {
  return decidedIn(review).some((day) => requestedAt.getTime() - day > 2 * offsetMsMax);
}
