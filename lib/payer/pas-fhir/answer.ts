import { reasons } from "#lib/messages/reasons/case";
import { pasInquiryReasons, pasReasons, pasUnclearReasons } from "#lib/messages/reasons/pas-reply";
import { replyReasons } from "#lib/messages/reasons/payer-reply";
import type { PayerAnswer, Inquiry } from "#lib/payer/connector";
import type { Exchange } from "#lib/platform/outbound/exchange";
import { spanOfDay } from "#lib/task/model/determination";
import { decisionOf, instant, issuedOn } from "./determination.ts";
import { contentOf, namesItems, namesRequest, patientIn, payerNumbers } from "./echo.ts";
import { headerOf, isHeaderOnly } from "./lines.ts";
import { correctionAfterAcceptance, issuesOf, rejectionOf } from "./rejection.ts";
import { readPayload, type Payload, type ResponseBundle } from "./reply.ts";
import { isVoid, type FrozenRequest } from "./frozen-request.ts";

/** A reply, parsed as far as possible. */
type ParsedReply = {
  readonly sent: FrozenRequest;
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  readonly payload: Payload;
};
type Row = {
  readonly when: string;
  readonly says: (reply: ParsedReply) => PayerAnswer | undefined;
};

/** Whether the request was refused before it was processed. A 403 with an OperationOutcome is a refusal with a reason instead. */
function isRefusedUnprocessed({ status, payload }: ParsedReply): boolean {
  return status === 401 || status === 429 || (status === 403 && payload.kind !== "outcome");
}

/**
 * Maps HTTP status and payload to an answer: the first row that returns one. Anything else is `unknown`, which changes
 * nothing. Statuses follow PAS 2.2.1 "Prior Authorization Transaction Error Handling", payloads "Prior Authorization
 * Response".
 */
const rows: readonly Row[] = [
  {
    when: "401 or 429 (RFC 6585: a limit on requests), or 403 that gives no reason: refused at the door",
    says: (reply) => (isRefusedUnprocessed(reply) ? notSent(reply.status, reply.retryAfterMs) : undefined),
  },
  {
    when: "5xx, also 503 that says when to come back: by the guide a failure or a timeout, which may have been processed",
    says: ({ status, retryAfterMs }) =>
      status >= 500 ? { ...unknown(replyReasons.answeredStatus(status)), retryAfterMs } : undefined,
  },
  {
    when: "a redirect, which is never followed",
    says: ({ status }) => (status >= 300 && status < 400 ? unknown(replyReasons.answeredRedirect(status)) : undefined),
  },
  {
    when: "408 or 409: the request may be there already",
    says: ({ status }) => (status === 408 || status === 409 ? unknown(replyReasons.mayHaveRequest(status)) : undefined),
  },
  {
    when: "413 without FHIR: a gateway took no more of it (RFC 9110), so that no payer has seen it",
    says: ({ status, payload }) =>
      status === 413 && payload.kind === "unreadable"
        ? { type: "rejected", correction: "correctable", reason: pasReasons.tooLarge, unread: true }
        : undefined,
  },
  {
    when: "not a FHIR resource we can read",
    says: ({ status, payload }) =>
      payload.kind === "unreadable" ? unknown(pasReasons.withStatus(payload.reason, status)) : undefined,
  },
  {
    when: "test data on a live route, or the other way round",
    says: ({ sent, payload }) => misplaced(sent, payload),
  },
  {
    when: "4xx with an OperationOutcome that something unknown may change",
    says: ({ status, payload }) =>
      status >= 400 && payload.kind === "outcome" && payload.doubt !== undefined
        ? unknown(pasReasons.withStatus(payload.doubt, status))
        : undefined,
  },
  {
    when: "4xx that calls the request a duplicate: the payer has it, or another like it",
    says: ({ status, payload }) =>
      status >= 400 && payload.kind === "outcome" && payload.outcome.issue.some(({ code }) => code === "duplicate")
        ? unknown(pasReasons.duplicate(status))
        : undefined,
  },
  {
    when: "4xx that says that the time ran out: it may have been processed, as with 408",
    says: ({ status, payload }) =>
      status >= 400 && payload.kind === "outcome" && payload.outcome.issue.some(({ code }) => code === "timeout")
        ? unknown(replyReasons.mayHaveRequest(status))
        : undefined,
  },
  {
    when: "4xx with an OperationOutcome: not processed, for the sender to correct",
    says: ({ status, payload }) =>
      status >= 400 && payload.kind === "outcome"
        ? {
            type: "rejected",
            correction: "correctable",
            reason: pasReasons.refused(status, issuesOf(payload.outcome)),
            ...(status === 403 ? { unread: true } : {}),
          }
        : undefined,
  },
  {
    when: "anything but 200 with a response bundle",
    says: ({ status, payload }) =>
      status === 200 && payload.kind === "bundle" ? undefined : unknown(pasReasons.noResponseBundle(status)),
  },
  {
    when: "200 with a response bundle: an answer to this very request, or unknown",
    says: ({ sent, payload }) => (payload.kind === "bundle" ? responseOf(sent, payload.bundle) : undefined),
  },
];

/** The answer of a submission's exchange. Every possible reply has exactly one answer. */
export function answerOf(sent: FrozenRequest, exchange: Exchange): PayerAnswer {
  switch (exchange.kind) {
    case "unsent":
      return {
        type: "notSent",
        reason: exchange.reason,
        retryAfterMs: exchange.retryAfterMs,
      };
    case "lost":
      return unknown(exchange.reason);
    case "reply": {
      const read: ParsedReply = {
        sent,
        status: exchange.status,
        retryAfterMs: exchange.retryAfterMs,
        payload: readPayload(exchange),
      };
      for (const { says } of rows) {
        const answer = says(read);
        if (answer) return answer;
      }
      return unknown(replyReasons.notUnderstood(exchange.status));
    }
  }
}

/** A case of an inquiry or a notification. */
export type KnownCase = {
  /** The submitted requests; the last one is the current one. */
  readonly sentRequests: readonly FrozenRequest[];
  /** Whether it is unconfirmed that the last request arrived: then only an answer that names it counts. */
  readonly unconfirmed: boolean;
  /** When the last request left. */
  readonly lastSentAt?: Date | undefined;
  /** The payer's own number of the case, if it gave one. */
  readonly payerReference?: string | undefined;
  /** The trace number of the inquiry. */
  readonly inquiryTrace?: string | undefined;
  /** Whether the inquiry named the services, so that an answer may only repeat them. */
  readonly servicesNamed?: boolean | undefined;
};

/**
 * The result of an inquiry. The payer returns everything that it has of the patient: in PAS 2.2.1 Parameters with any number
 * of bundles, in 2.0.1 one bundle with any number of answers. Only a single answer that is certainly this case counts. If
 * there are several, or one that may be another case, a person must look. None does not prove that the payer lacks the case.
 */
export function inquiryOf(known: KnownCase, exchange: Exchange): Inquiry {
  if (exchange.kind !== "reply") return unknownInquiry(exchange.reason);
  if (exchange.status !== 200)
    return {
      ...unknownInquiry(replyReasons.inquiryAnsweredStatus(exchange.status)),
      retryAfterMs: exchange.retryAfterMs,
    };
  const payload = readPayload(exchange);
  if (payload.kind === "unreadable") return unknownInquiry(payload.reason);
  if (payload.kind === "outcome") return unknownInquiry(pasInquiryReasons.outcome);
  const last = known.sentRequests.at(-1);
  const wrong = last && misplaced(last, payload);
  if (wrong) return unknownInquiry(wrong.reason);
  const bundles = payload.kind === "bundle" ? [payload.bundle] : payload.bundles;
  const found = bundles.map(withoutCreated).map((bundle) => ({
    bundle,
    about: aboutOf(known, bundle),
  }));
  const ours = found.filter(({ about }) => typeof about === "object");
  if (ours.length > 1) return unknownInquiry(pasInquiryReasons.severalAreThis);
  if (ours[0]) return standingOf(known, ours[0].bundle);
  const unclear = found.filter(({ about }) => about === "unclear").length;
  return unclear === 0 ? { type: "none" } : unknownInquiry(pasInquiryReasons.someNameNoRequest(unclear));
}

/** FHIR R4 ClaimResponse.created: an answer to an inquiry may be made when the payer is asked, whenever it decided. */
function withoutCreated(bundle: ResponseBundle): ResponseBundle {
  return { ...bundle, response: { ...bundle.response, created: undefined } };
}

/** Reads a bundle from an inquiry or a notification as an answer to one of our requests; `none` if it answers none. */
export function standingOf(known: KnownCase, bundle: ResponseBundle): Inquiry {
  const about = aboutOf(known, bundle);
  if (typeof about !== "object") return { type: "none" };
  const { sentRequests: others, inquiryTrace } = known;
  const isNamed = namesRequest({ sent: about, others, bundle, operation: "inquire", inquiryTrace }) === "this";
  const standing = standingAs(about, bundle, isNamed);
  const isCancelled = standing.type === "match" && standing.answer.type === "cancelled";
  return isCancelled && isReplaced(known, about) ? unknownInquiry(pasInquiryReasons.cancelsEarlier) : standing;
}

/** Whether a later request stands in the place of this one, so that its cancellation does not end the case. */
function isReplaced({ sentRequests }: KnownCase, about: FrozenRequest): boolean {
  return about !== sentRequests.at(-1) && !sentRequests.some(isVoid);
}

/** The same for a bundle that is known to answer this request. */
export function standingAs(about: FrozenRequest, bundle: ResponseBundle, isNamed = false): Inquiry {
  const answer = readAs(about, bundle);
  // As in reply to the void itself: only that it is done or being worked on is certain.
  const isUnclear = answer.type === "decided" || answer.type === "contact-payer" || answer.type === "unclear";
  if (isVoid(about) && isUnclear) return unknownInquiry(reasons.voidUnanswered);
  switch (answer.type) {
    case "accepted":
    case "decided":
    case "cancelled":
    case "contact-payer":
      return { type: "match", answer, of: about.call, ...(isNamed ? { isNamed } : {}) };
    case "rejected": {
      const { reason, correction } = answer;
      const at = instant(bundle.response.created);
      return {
        type: "rejected",
        correction: correctionAfterAcceptance[correction],
        reason,
        of: about.call,
        at: at === undefined ? undefined : new Date(at),
      };
    }
    case "unclear":
      return answer;
    case "notSent":
    case "unknown":
      return unknownInquiry(answer.reason);
  }
}

/**
 * The request that a bundle answers: the one that it names, or the last one if the bundle matches the case by the payer's own
 * number or by all requested services. An unconfirmed request counts as received only if the bundle names it. A payer may
 * answer an update under the name of the request before it, so of such a bundle its date decides.
 */
function aboutOf(known: KnownCase, bundle: ResponseBundle): FrozenRequest | "another" | "unclear" {
  const { sentRequests, unconfirmed, payerReference, inquiryTrace, servicesNamed = false } = known;
  const naming = (sent: FrozenRequest) =>
    namesRequest({
      sent,
      others: sentRequests,
      bundle,
      operation: "inquire",
      inquiryTrace,
    });
  const last = sentRequests.at(-1);
  const named = sentRequests.findLast((sent) => naming(sent) === "this");
  if (!last || sentRequests.some((sent) => naming(sent) === "another")) return "another";
  if (named && unconfirmed && named !== last) return "another";
  if (named) return !isVoid(named) && answersUpdate(known, last, bundle) ? last : named;
  // A notification is matched only by the references that it names.
  if (inquiryTrace === undefined) return "another";
  const patient = patientIn(last, bundle);
  if (patient !== "ours") return patient === "another" ? "another" : "unclear";
  const numbers = payerNumbers(bundle);
  if (!unconfirmed && payerReference !== undefined && numbers.includes(payerReference)) return last;
  const content = contentOf(last, bundle);
  if (content === "other") return "another";
  if (unconfirmed || servicesNamed) return "unclear";
  const otherNumber = payerReference !== undefined && numbers.length > 0;
  return content === "same" && !otherNumber ? last : "unclear";
}

/**
 * Whether a bundle that names an earlier request may be about the last one all the same. A decision for the whole request is
 * about the one that it names, whatever its items; so is one that was not issued on a later day than the last one left.
 */
function answersUpdate({ lastSentAt }: KnownCase, last: FrozenRequest, bundle: ResponseBundle): boolean {
  if (isHeaderOnly(bundle.response) || !namesItems(last, bundle)) return false;
  const decidedOn = issuedOn(bundle.response);
  return lastSentAt === undefined || (decidedOn !== undefined && spanOfDay(decidedOn).from >= lastSentAt);
}

function responseOf(sent: FrozenRequest, bundle: ResponseBundle): PayerAnswer {
  if (namesRequest({ sent, others: [], bundle, operation: "submit" }) !== "this")
    return unknown(pasReasons.namesNoRequest);
  return readAs(sent, bundle);
}

function readAs(sent: FrozenRequest, bundle: ResponseBundle): PayerAnswer {
  const patient = patientIn(sent, bundle);
  if (patient !== "ours") return unknown(patient === "another" ? pasReasons.otherPatient : pasReasons.patientNotNamed);
  const { error = [], status } = bundle.response;
  if (error.length > 0 && bundle.hasRules) return unknown(pasUnclearReasons.implicitRules);
  if (error.length > 0 && bundle.isModified) return unknown(pasReasons.refusesWithUnknownModifier);
  if (status !== "active") return unknown(pasReasons.notActive);
  if (error.length > 0) return saysMore(bundle) ? unknown(pasReasons.refusesAndDecides) : rejectionOf(error);
  if (!namesItems(sent, bundle)) return unknown(pasReasons.otherItems);
  if (contentOf(sent, bundle) === "other") return unknown(pasReasons.otherServices);
  return decisionOf(sent, bundle);
}

/** Whether an answer with an error also says what only a request has that was processed. */
function saysMore({ response, speaksTwice }: ResponseBundle): boolean {
  const { item = [], addItem = [], preAuthRef } = response;
  return item.length + addItem.length > 0 || headerOf(response).action !== undefined || !!preAuthRef || speaksTwice;
}

function misplaced(sent: FrozenRequest, payload: Payload): Extract<PayerAnswer, { type: "unknown" }> | undefined {
  return payload.kind === "unreadable" ? undefined : misplacedData(sent, payload);
}

/**
 * Why data marked as test or as live cannot answer this request; undefined if it can. The environment of a request is that of
 * its route, and every test request is marked. An answer need not repeat the mark.
 */
export function misplacedData(
  sent: FrozenRequest,
  { test, live }: Pick<ResponseBundle, "test" | "live">,
): Extract<PayerAnswer, { type: "unknown" }> | undefined {
  if (sent.test && live) return unknown(pasReasons.testAnswerMarkedLive);
  if (!sent.test && test) return unknown(replyReasons.liveAnswerMarkedTest("meta.tag HTEST"));
  return undefined;
}

function notSent(status: number, retryAfterMs: number | undefined): PayerAnswer {
  return {
    type: "notSent",
    reason: replyReasons.refusedBeforeProcessing(status),
    retryAfterMs,
  };
}

function unknown(reason: string): Extract<PayerAnswer, { type: "unknown" }> {
  return { type: "unknown", reason };
}

function unknownInquiry(reason: string): Extract<Inquiry, { type: "unknown" }> {
  return { type: "unknown", reason };
}
