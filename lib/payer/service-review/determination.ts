import type { StatedTerms } from "#lib/payer/model/authorization-conflicts";
import {
  isAuthorizing,
  isReviewAction,
  verdictOf,
  type Determination,
  type DeterminationLine,
  type LineTerms,
  type ReviewAction,
} from "#lib/task/model/determination";
import { replyReasons, wantedReasons } from "#lib/messages/reasons/payer-reply";
import { reviewReasons } from "#lib/messages/reasons/service-review-reply";
import type { InformationRequest } from "#lib/task/model/information-request";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { PayerAnswer } from "#lib/payer/connector";
import { dayOf, agreedValue, instantText, ownValidity } from "#lib/payer/agreed-value";
import { providedBy, requestedLines } from "#lib/task/model/requested-lines";
import { conflictsIn, termsOf } from "./conflicts.ts";
import { errorText } from "./refusal.ts";
import { idsOf } from "./identity.ts";
import { qualificationOf } from "./qualified.ts";
import type { Review, ReviewLine } from "./reply.ts";
import type { FrozenRequest } from "./frozen-request.ts";
import { progress } from "./vocabulary.ts";

/** One line that was asked and what the reply says to it. */
type Line = {
  readonly sequence: number;
  readonly requested: StatedTerms;
  readonly reply: ReviewLine;
  readonly action: ReviewAction | undefined;
};

/** What a whole review says: that it is still being worked on, or an answer. */
export type Reading = { readonly type: "working" } | PayerAnswer;

export type ReadingContext = {
  /** What left, and the request as it stood then. */
  readonly sent: FrozenRequest;
  readonly requested: ServiceReview;
  /** When what left was made. */
  readonly requestedAt: Date;
  readonly receivedAt: Date;
};

/**
 * Reads a review that is ours. Its `statusCode` is read both ways senders use
 * it: as the progress of the exchange, and as an X12 306 action for the whole.
 * Where lines say their own, the header must agree; where none does, it speaks
 * for all of them. All of it is held against what was asked: a contradiction or
 * a code nobody knows is for a person, whatever stands beside it.
 */
export function readingOf(question: ReadingContext, review: Review): Reading {
  const header = headerOf(review.statusCode);
  if (header === undefined) return unknown(reviewReasons.statusNotUnderstood);
  if (header.progress === "working") return { type: "working" };
  if (header.progress === "refused") return refused(review);
  const lines = linesOf(question.sent, review, header.action);
  if (!lines) return unknown(reviewReasons.otherProcedures);
  const verdict = verdictOf(lines.map(({ action }) => action));
  const unclear = (reason: string): PayerAnswer => ({ type: "unclear", reference: review.id, reason });
  if (verdict.type === "unclear") return unclear(reviewReasons.actionNotUnderstood);
  if (lines.length > 1 && header.action === "A2" && isSilent(review)) return unclear(reviewReasons.partNotNamed);
  const known = lines.flatMap(({ action, ...line }) => (action ? [{ ...line, action }] : []));
  const isComplete = header.progress === "complete";
  const conflicts = conflictsIn({ ...question, review, lines: known, header: header.action, isComplete });
  if (conflicts.length > 0) return unclear(reviewReasons.contradicts(conflicts));
  const { requested } = question;
  const qualified = qualificationOf({ verdict, requested, review, lines: known, header: header.action });
  if (qualified !== undefined) return unclear(qualified);
  switch (verdict.type) {
    case "pended": {
      const updatedAt = instant(review.updatedDate);
      const requestedAt = updatedAt === undefined ? undefined : new Date(updatedAt);
      const informationRequest = informationRequestOf(review, lines);
      return { type: "accepted", reference: review.id, informationRequest, requestedAt };
    }
    case "cancelled":
      return { type: "cancelled", reference: review.id };
    case "contact-payer":
      return { type: "contact-payer", reference: review.id, text: callText(review) };
    case "final":
      return {
        type: "decided",
        determination: determinationOf(review, withRequestedProviders(lines, question), verdict.outcome),
      };
  }
}

type Header = {
  readonly progress?: (typeof progress)[keyof typeof progress] | undefined;
  readonly action?: ReviewAction | undefined;
};

/** Both readings of the header's code; undefined where it is neither. */
function headerOf(code: string | undefined): Header | undefined {
  if (code === undefined) return {};
  // Safe because each guard has just found the code among the known ones.
  if (Object.hasOwn(progress, code)) return { progress: progress[code as keyof typeof progress] };
  return isReviewAction(code) ? { action: code } : undefined;
}

/** Each line that was sent with what answers it. The header speaks for the lines only where none speaks for itself. */
function linesOf(
  sent: FrozenRequest,
  { procedures }: Review,
  header: ReviewAction | undefined,
): readonly Line[] | undefined {
  const replies = inOrderSent(sent, procedures);
  if (!replies) return undefined;
  const silent = isSilent({ procedures });
  return [...sent.lines].map(([sequence, requested], index) => {
    // Safe because `inOrderSent` found exactly one for each line.
    const reply = replies[index] as ReviewLine;
    const own = reply.statusCode !== undefined && isReviewAction(reply.statusCode) ? reply.statusCode : undefined;
    return { sequence, requested, reply, action: silent ? header : own };
  });
}

/** Whether a review lists exactly the procedures that were sent. */
export function repeatsServices(sent: FrozenRequest, { procedures }: Review): boolean {
  return inOrderSent(sent, procedures) !== undefined;
}

/** Whether no line says its own action. */
function isSilent({ procedures }: Pick<Review, "procedures">): boolean {
  return procedures.every(({ statusCode }) => statusCode === undefined);
}

/** The reply's procedures in the order they were sent: as they stand, or by their codes where no code repeats. */
function inOrderSent(sent: FrozenRequest, procedures: readonly ReviewLine[]): readonly ReviewLine[] | undefined {
  const codes = [...sent.lines.values()].map(({ code }) => code);
  if (procedures.length !== codes.length) return undefined;
  if (codes.every((code, index) => procedures[index]?.code === code)) return procedures;
  if (new Set(codes).size !== codes.length) return undefined;
  const found = codes.map((code) => procedures.find((each) => each.code === code));
  return found.every((each) => each !== undefined) ? found : undefined;
}

/** The lines with who was asked to provide each of them, and where. */
function withRequestedProviders(lines: readonly Line[], { requested }: ReadingContext): readonly Line[] {
  const terms = requestedLines(requested);
  return lines.map((line) => {
    const { providers, place } = terms[line.sequence - 1] ?? {};
    const named = { ...(providers ? { providers } : {}), ...(place === undefined ? {} : { place }) };
    return { ...line, requested: { ...line.requested, ...named } };
  });
}

function determinationOf(review: Review, lines: readonly Line[], outcome: Determination["outcome"]): Determination {
  const notes = [...review.payerNotes, ...review.procedures.flatMap((procedure) => procedure.notes)];
  const number = review.referenceNumber;
  const whole = {
    validFrom:
      dayOf(review.certificationEffectiveDate) ??
      agreedValue(lines.map(({ reply }) => dayOf(reply.certificationEffectiveDate))),
    validTo:
      dayOf(review.certificationExpirationDate) ??
      agreedValue(lines.map(({ reply }) => dayOf(reply.certificationExpirationDate))),
  };
  return {
    outcome,
    authorizationNumber: review.certificationNumber ?? agreedValue(lines.map(({ reply }) => reply.certificationNumber)),
    reference: review.id,
    ...whole,
    lines: lines.flatMap((line) => lineOf(line, review).map((stored) => ({ ...stored, ...inForce(line, whole) }))),
    notes: [
      ...(number === undefined ? [] : [reviewReasons.payerNumber(number)]),
      ...notes.flatMap(({ message }) => message ?? []),
      ...review.validationMessages.map(errorText),
    ],
    decidedAt: instant(review.updatedDate),
    source: "connector",
  };
}

function inForce({ action, reply }: Line, whole: Pick<Determination, "validFrom" | "validTo">) {
  const validFrom = dayOf(reply.certificationEffectiveDate);
  return ownValidity(action, { validFrom, validTo: dayOf(reply.certificationExpirationDate) }, whole);
}

function lineOf({ sequence, requested, reply, action }: Line, review: Review): readonly DeterminationLine[] {
  if (!action) return [];
  const spoken = reply.statusCode === undefined ? review.statusReasons : reply.statusReasons;
  return [
    {
      sequence,
      action,
      requested: withoutModifiers(requested),
      authorized: isAuthorizing(action) ? authorizedIn(review, reply, requested) : undefined,
      number: reply.certificationNumber,
      reasons: spoken.flatMap(({ code }) => code ?? []),
    },
  ];
}

/** What this wire states for a line: its own terms, and who provides the whole and where. */
function authorizedIn({ renderingProviders, placeOfServiceCode }: Review, reply: ReviewLine, terms: StatedTerms) {
  // A name alone is not compared, because the wire may write it otherwise than it was asked.
  const named = renderingProviders.map((provider) => idsOf(provider).filter((id) => /^\d+$/.test(id)));
  const ids = named.flatMap((each) => each.find((id) => terms.providers?.includes(id)) ?? each[0] ?? []);
  const place = placeOfServiceCode === undefined || placeOfServiceCode === "" ? {} : { place: placeOfServiceCode };
  // The review names its providers once, for all lines: a line with providers of its own is not held against them.
  const isOfLine = terms.providers?.every((id) => ids.includes(id)) && ids.length > terms.providers.length;
  return { ...withoutModifiers(termsOf(reply)), ...providedBy(isOfLine ? [] : ids), ...place };
}

/** The terms that are kept of a line. */
function withoutModifiers({ modifiers: _, ...terms }: StatedTerms): LineTerms {
  return terms;
}

/** What a pended answer asks the sender for, where a reason says that it does. */
function informationRequestOf(review: Review, lines: readonly Line[]): InformationRequest | undefined {
  const asking = (reasons: Review["statusReasons"]) =>
    reasons.flatMap(({ code }) => (code !== undefined && Object.hasOwn(wantedReasons, code) ? [code] : []));
  const item = (value: string) =>
    ({ kind: "answer", code: { system: "payer", value }, label: wantedReasons[value] }) as const;
  const items = [
    ...asking(review.statusReasons).map((value) => item(value)),
    ...lines.flatMap(({ sequence, reply }) =>
      asking(reply.statusReasons).map((value) => ({ ...item(value), line: sequence })),
    ),
  ];
  if (items.length === 0) return undefined;
  const messages = review.payerNotes.flatMap(({ message }) => message ?? []);
  return { text: messages.join("\n") || reviewReasons.informationRequested(items[0]?.label), items };
}

function callText({ payer }: Review): string {
  const phone = payer?.phone;
  return replyReasons.callPayer(phone !== undefined && /^[0-9+() .x-]{7,25}$/.test(phone) ? phone : undefined);
}

/** A request that was not processed has no decision on a line. */
function refused({ validationMessages, procedures, certificationNumber }: Review): PayerAnswer {
  const decided = procedures.some(({ statusCode }) => statusCode !== undefined && isReviewAction(statusCode));
  if (decided || (certificationNumber ?? "") !== "") return unknown(reviewReasons.refusesAndDecides);
  const reason = replyReasons.notProcessed(validationMessages.slice(0, 5).map(errorText).join("; "));
  return { type: "rejected", correction: "correctable", reason };
}

function unknown(reason: string): PayerAnswer {
  return { type: "unknown", reason };
}

/** A date-time that names an instant, in UTC; the offset comes with or without its colon. */
export function instant(text: string | undefined): string | undefined {
  const [, local, offset] = /^(\d{4}-\d{2}-\d{2}T[\d:.]+)(Z|[+-]\d{2}:?\d{2})$/.exec(text ?? "") ?? [];
  if (local === undefined || offset === undefined) return undefined;
  return instantText(new Date(`${local}${offset === "Z" ? "Z" : `${offset.slice(0, 3)}:${offset.slice(-2)}`}`));
}
