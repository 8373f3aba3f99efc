import { assert } from "#lib/platform/result";
import type {
  InquiryRequest,
  Call,
  Connector,
  PayerResponse,
  Inquiry,
  SubmissionResponse,
  Transport,
} from "#lib/payer/connector";
import { hostOutcome, type Exchange } from "#lib/platform/outbound/exchange";
import { payerReasons } from "#lib/messages/reasons/payer";
import { manualPacket } from "#lib/payer/manual";
import { answerOf, reviewAnswer, searchAnswer } from "./answer.ts";
import { build, needsManual } from "./build.ts";
import { check } from "./check.ts";
import { payerOf } from "./document.ts";
import { lookUp, search } from "./search.ts";
import { readFrozenRequest } from "./frozen-request.ts";
import { checkSettings, settings } from "./settings.ts";
import { exchangeWithPayer } from "./exchange.ts";
import { leftOut } from "./left-out.ts";
import { testConnection } from "./test-connection.ts";
import { isReviewId } from "./vocabulary.ts";

/**
 * The X12 278-shaped REST of clearinghouses (Service Reviews 2.0.0): every
 * request is taken with 202 and followed by its id; after doubt the
 * clearinghouse is searched, never sent to again.
 */
export const serviceReview: Connector = {
  name: "service-review",
  settings,
  checkSettings,
  carriesFiles: false,
  leftOut,
  isManual: needsManual,
  check,
  build: (from) => [needsManual(from) ? manualPacket(from) : build(from)],
  send,
  testConnection,
  inquire,
};

async function send(calls: readonly Call[], transport: Transport): Promise<SubmissionResponse> {
  const [call] = calls;
  assert(call && calls.length === 1, "every action on this wire is one call");
  const sent = readFrozenRequest(call);
  assert(sent, "only a request this connector built is sent");
  const exchange = await exchangeWithPayer(call, transport);
  const answer = answerOf(sent, isTest(transport), exchange);
  return { answer, bytes: bytesOf(exchange), host: hostOutcome(exchange) };
}

async function inquire(request: InquiryRequest, transport: Transport): Promise<PayerResponse<Inquiry>> {
  const all = request.sent.flatMap((each) => readFrozenRequest(each) ?? []);
  const sent = all.at(-1);
  if (!sent) return { answer: { type: "unknown", reason: payerReasons.notSentHere }, bytes: undefined };
  const others = (request.others ?? []).flatMap((each) => readFrozenRequest(each) ?? []);
  const { voiding, review: requested, openedAt: requestedAt } = request;
  // An update does not name the payer; a connection may have named it otherwise since.
  const payers = [...all.flatMap(({ payerId }) => payerId ?? []), payerOf(requested, request.destination).id];
  const base = { sent, others, voiding, requested, payers, requestedAt, test: isTest(transport) };
  const about = () => ({ ...base, unconfirmed: request.unconfirmed === true, receivedAt: new Date() });
  const id = request.payerReference;
  if (isReviewId(id)) {
    const exchange = await exchangeWithPayer(lookUp(request.destination, id), transport);
    const answer = reviewAnswer(about(), id, exchange);
    if (answer !== "gone") return { answer, bytes: isPassing(exchange) ? undefined : bytesOf(exchange) };
  }
  const exchange = await exchangeWithPayer(search(request.destination, request.review), transport);
  return { answer: searchAnswer(about(), exchange), bytes: isPassing(exchange) ? undefined : bytesOf(exchange) };
}

function isTest({ route }: Transport): boolean {
  return route?.environment === "test";
}

/** Whether a failure may be temporary, so that its bytes are not stored for a person to read. */
function isPassing(exchange: Exchange): boolean {
  return exchange.kind === "reply" && (exchange.status === 408 || exchange.status === 429 || exchange.status >= 500);
}

function bytesOf(exchange: Exchange): Uint8Array | undefined {
  return exchange.kind === "reply" ? exchange.bytes : undefined;
}
