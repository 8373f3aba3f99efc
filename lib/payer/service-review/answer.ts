import type { PayerAnswer, Call, Inquiry } from "#lib/payer/connector";
import type { Exchange } from "#lib/platform/outbound/exchange";
import { replyReasons } from "#lib/messages/reasons/payer-reply";
import { reviewReasons } from "#lib/messages/reasons/service-review-reply";
import type { ServiceReview } from "#lib/task/model/service-review";
import { dayOf } from "#lib/payer/agreed-value";
import { instant, readingOf, repeatsServices, type Reading } from "./determination.ts";
import { otherParty } from "./identity.ts";
import { reasonOf } from "./refusal.ts";
import { readPage, readRefusal, readReview, type Review } from "./reply.ts";
import type { FrozenRequest } from "./frozen-request.ts";
import { isReviewId, testMarker, traceIn } from "./vocabulary.ts";

type Reply = Extract<Exchange, { kind: "reply" }>;

/** What was sent and what came back to it. */
type ReceivedReply = { readonly sent: FrozenRequest; readonly test: boolean; readonly reply: Reply };
type Row = { readonly when: string; readonly says: (received: ReceivedReply) => PayerAnswer | undefined };

const beforeProcessing = new Set([401, 403, 429]);

/**
 * Maps HTTP status and payload to an answer: the first row that returns one. Anything else is `unknown`, which changes nothing.
 * Statuses follow the vendor's contract: POST and PUT 202, DELETE 204 or 202, errors in its envelope.
 */
const rows: readonly Row[] = [
  {
    when: "403 with the vendor's error envelope: it says why, and the same again would be refused as well",
    says: ({ sent, reply }) => (reply.status === 403 ? refusedBy(sent, reply) : undefined),
  },
  {
    when: "401, 403 or 429: refused at the door, the last by a limit that is counted before anything is passed on",
    says: ({ reply }) => (beforeProcessing.has(reply.status) ? notSent(reply) : undefined),
  },
  {
    when: "5xx, also 503 that says when to come back: a gateway says so of what it passed on, too",
    says: ({ reply }) => (reply.status >= 500 ? unavailable(reply) : undefined),
  },
  {
    when: "a redirect, which is never followed",
    says: ({ reply }) =>
      reply.status >= 300 && reply.status < 400 ? unknown(replyReasons.answeredRedirect(reply.status)) : undefined,
  },
  { when: "a test answer on a live route, or the other way round", says: ({ test, reply }) => misplaced(test, reply) },
  {
    when: "408, or 409 to a first request: it may be there already",
    says: ({ sent, reply }) =>
      reply.status === 408 || (reply.status === 409 && sent.kind === "create")
        ? unknown(replyReasons.mayHaveRequest(reply.status))
        : undefined,
  },
  {
    when: "4xx with the vendor's error envelope: not done",
    says: ({ sent, reply }) => (reply.status >= 400 ? refusedBy(sent, reply) : undefined),
  },
  {
    when: "204 to a void: done",
    says: ({ sent, reply }) =>
      sent.kind === "void" && reply.status === 204 ? { type: "cancelled", reference: sent.id } : undefined,
  },
  {
    when: "202: taken, under the id in Location",
    says: ({ sent, reply }) => (reply.status === 202 ? acceptedAs(sent, idIn(reply.headers.location)) : undefined),
  },
];

/** The answer of one request's exchange. Every possible reply has exactly one answer. */
export function answerOf(sent: FrozenRequest, test: boolean, exchange: Exchange): PayerAnswer {
  switch (exchange.kind) {
    case "unsent":
      return { type: "notSent", reason: exchange.reason, retryAfterMs: exchange.retryAfterMs };
    case "lost":
      return unknown(exchange.reason);
    case "reply":
      for (const { says } of rows) {
        const answer = says({ sent, test, reply: exchange });
        if (answer) return answer;
      }
      return unknown(replyReasons.notUnderstood(exchange.status));
  }
}

function refusedBy(sent: FrozenRequest, reply: Reply): PayerAnswer | undefined {
  const refusal = readRefusal(reply);
  if (!refusal) return undefined;
  const correction = sent.kind === "void" ? "final" : "correctable";
  const what = sent.kind === "void" ? "void" : "request";
  const reason = reviewReasons.refused(what, reply.status, reasonOf(refusal));
  return { type: "rejected", correction, reason };
}

/** A first request is accepted under a new id; for a known case, another id means another case. */
function acceptedAs(sent: FrozenRequest, id: string | undefined): PayerAnswer {
  if (sent.kind === "create")
    return id === undefined ? unknown(reviewReasons.acceptedWithoutId) : { type: "accepted", reference: id };
  return id === undefined || id === sent.id
    ? { type: "accepted", reference: sent.id }
    : unknown(reviewReasons.namesOtherCase);
}

/** The id of a review in an address. The address itself is never called. */
function idIn(location: string | undefined): string | undefined {
  const id = /\/service-reviews\/([^/?#]+)\/?$/.exec(location ?? "")?.[1];
  return isReviewId(id) ? id : undefined;
}

type InquiryContext = {
  readonly sent: FrozenRequest;
  /** Other submitted requests of the case; the clearinghouse may still name a refused update. */
  readonly others: readonly FrozenRequest[];
  /** The void that the payer has or may have: while it is open, a refusal is about it. */
  readonly voiding: Call | undefined;
  /** The service review of `sent`. */
  readonly requested: ServiceReview;
  /** The ids under which the payer was named to the clearinghouse. */
  readonly payers: readonly string[];
  readonly requestedAt: Date;
  readonly test: boolean;
  /** Whether it is unconfirmed that `sent` arrived. */
  readonly unconfirmed: boolean;
  readonly receivedAt: Date;
};

/** The result of a look-up by id; `gone` if the clearinghouse has no such record. */
export function reviewAnswer(inquiry: InquiryContext, id: string, exchange: Exchange): Inquiry | "gone" {
  if (exchange.kind !== "reply") return unknownInquiry(exchange.reason);
  if (exchange.status === 404 || exchange.status === 410) return "gone";
  const wrong = misplaced(inquiry.test, exchange);
  if (wrong) return unknownInquiry(wrong.reason);
  if (exchange.status === 202) return { type: "none" };
  if (exchange.status !== 200)
    return { ...unknownInquiry(replyReasons.inquiryAnsweredStatus(exchange.status)), ...waitOf(exchange) };
  const review = readReview(exchange);
  if (!review) return unknownInquiry(reviewReasons.notReview);
  if (review.id !== id) return unknownInquiry(reviewReasons.aboutOtherCase);
  const trace = traceOf(review);
  if (trace === undefined && inquiry.unconfirmed) return { type: "none" };
  if (trace !== undefined && isEarlier(trace, inquiry.sent)) return { type: "none" };
  const named = [inquiry.sent, ...inquiry.others].find((each) => trace === undefined || each.trace === trace);
  if (!named) return unknownInquiry(reviewReasons.otherTrace);
  const other = otherParty(review, inquiry);
  if (other) return unknownInquiry(reviewReasons.speaksOfOther(other));
  const reading = readingOf({ ...inquiry, sent: named }, review);
  if (named !== inquiry.sent && reading.type !== "rejected") return unknownInquiry(reviewReasons.traceOfRefused);
  return inquiryOf(reading, { review, of: inquiry.voiding ?? named.call });
}

/**
 * The result of a search: the only review that returns our trace number, which the search itself does not contain, and that has
 * the requested patient and services. If one may be ours, or there are several, or the list is incomplete, a person must
 * look.
 */
export function searchAnswer(inquiry: InquiryContext, exchange: Exchange): Inquiry {
  if (exchange.kind !== "reply") return unknownInquiry(exchange.reason);
  const wrong = misplaced(inquiry.test, exchange);
  if (wrong) return unknownInquiry(wrong.reason);
  if (exchange.status === 202) return { type: "none" };
  if (exchange.status !== 200)
    return { ...unknownInquiry(reviewReasons.searchAnsweredStatus(exchange.status)), ...waitOf(exchange) };
  const page = readPage(exchange);
  if (!page) return unknownInquiry(reviewReasons.notReviewList);
  if (!page.isWhole) return unknownInquiry(reviewReasons.listIncomplete);
  const { trace } = inquiry.sent;
  const ours = page.reviews.filter((each) => trace !== undefined && traceOf(each) === trace);
  if (ours.length > 1) return unknownInquiry(reviewReasons.severalForTrace);
  const [review] = ours;
  if (!review)
    return page.reviews.some((each) => mayBeSameRequest(each, inquiry))
      ? unknownInquiry(reviewReasons.sameServicesUnnamed)
      : { type: "none" };
  return foundAs(review, inquiry);
}

function foundAs(review: Review, inquiry: InquiryContext): Inquiry {
  if (!isReviewId(review.id)) return unknownInquiry(reviewReasons.idInvalid);
  const other = otherParty(review, inquiry);
  if (other) return unknownInquiry(reviewReasons.traceOfOther(other));
  if (!repeatsServices(inquiry.sent, review)) return unknownInquiry(reviewReasons.traceForOtherServices);
  const reading = readingOf(inquiry, review);
  const found = { type: "match", answer: { type: "accepted", reference: review.id } } as const;
  return reading.type === "working" ? found : inquiryOf(reading, { review, of: inquiry.voiding ?? inquiry.sent.call });
}

/** Whether a review without a trace number of ours may be the submitted request. */
function mayBeSameRequest(review: Review, inquiry: InquiryContext): boolean {
  const { sent } = inquiry;
  const { from } = sent.whole;
  const otherDays = from !== undefined && review.fromDate !== undefined && dayOf(review.fromDate) !== from;
  return traceOf(review) === undefined && !otherDays && !otherParty(review, inquiry) && repeatsServices(sent, review);
}

function inquiryOf(reading: Reading, { review, of }: { review: Review; of: Call }): Inquiry {
  switch (reading.type) {
    case "working":
      return { type: "none" };
    case "accepted":
    case "decided":
    case "cancelled":
    case "contact-payer":
      return { type: "match", answer: reading };
    case "rejected": {
      const at = instant(review.updatedDate);
      // The protocol has no code for the follow-up of a refusal, so the sender may correct it.
      const correction = "correctable";
      return {
        type: "rejected",
        correction,
        reason: reading.reason,
        of,
        at: at === undefined ? undefined : new Date(at),
      };
    }
    case "unclear":
      return reading;
    case "notSent":
    case "unknown":
      return unknownInquiry(reading.reason);
  }
}

/** The last trace number of ours in a review. */
function traceOf({ providerNotes }: Review): string | undefined {
  return providerNotes.flatMap(({ message }) => (message === undefined ? [] : (traceIn(message) ?? []))).at(-1);
}

/** Whether a trace number is of an earlier revision of the same task, so that the payer does not show the update yet. */
function isEarlier(trace: string, { trace: ours }: FrozenRequest): boolean {
  const [task, revision] = partsOf(trace);
  const [ourTask, ourRevision] = partsOf(ours ?? "");
  return task !== undefined && task === ourTask && Number(revision) < Number(ourRevision);
}

function partsOf(trace: string): readonly (string | undefined)[] {
  return /^(.+)-(\d+)-T\d*$/.exec(trace)?.slice(1) ?? [];
}

/** Demo and live plans share one host, so every answer says which of them gave it. */
function misplaced(test: boolean, { headers }: Reply): Extract<PayerAnswer, { type: "unknown" }> | undefined {
  const mark = headers[testMarker.header];
  // On a live payer connection any mark counts, however it is written.
  if (test ? mark === testMarker.value : mark === undefined || mark === "false") return undefined;
  return unknown(test ? reviewReasons.testAnswerUnmarked : replyReasons.liveAnswerMarkedTest("X-Api-Mock-Response"));
}

function notSent({ status, retryAfterMs }: Reply): PayerAnswer {
  return { type: "notSent", reason: replyReasons.refusedBeforeProcessing(status), retryAfterMs };
}

function unavailable(reply: Reply): PayerAnswer {
  return { ...unknown(replyReasons.answeredStatus(reply.status)), ...waitOf(reply) };
}

function waitOf({ retryAfterMs }: Reply) {
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

function unknown(reason: string): Extract<PayerAnswer, { type: "unknown" }> {
  return { type: "unknown", reason };
}

function unknownInquiry(reason: string): Extract<Inquiry, { type: "unknown" }> {
  return { type: "unknown", reason };
}
