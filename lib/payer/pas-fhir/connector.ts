import { randomUUID } from "node:crypto";
import { assert } from "#lib/platform/result";
import type {
  InquiryRequest,
  Build,
  Call,
  Connector,
  PayerResponse,
  Inquiry,
  SubmissionResponse,
  Transport,
} from "#lib/payer/connector";
import { hostOutcome, type Exchange } from "#lib/platform/outbound/exchange";
import { manualPacket } from "#lib/payer/manual";
import { isSupported } from "#lib/payer/model/destination";
import { bringsFiles } from "#lib/payer/brings-files";
import { nonBlank } from "#lib/payer/wire-text";
import { payerReasons } from "#lib/messages/reasons/payer";
import { answerOf, inquiryOf } from "./answer.ts";
import { build, claimUrlOf } from "./build.ts";
import { check } from "./check.ts";
import { inquiry, type Example } from "./inquiry.ts";
import { previousOf } from "./previous.ts";
import { readPush } from "./push.ts";
import { readFrozenRequest, type FrozenRequest } from "./frozen-request.ts";
import { checkSettings, readSettings, settings } from "./settings.ts";
import { exchangeWithPayer } from "./exchange.ts";
import { notificationsOffered, subscribe, unsubscribe } from "./subscribe.ts";
import { testConnection } from "./test-connection.ts";

/**
 * HL7 Da Vinci PAS 2.2.1 or 2.0.1 over FHIR R4: `Claim/$submit` for first
 * requests, updates and cancellations, and `Claim/$inquire`. An update or a void of a request that was not submitted by this
 * connector is a manual submission.
 */
export const pasFhir: Connector = {
  name: "pas-fhir",
  settings,
  checkSettings,
  carriesFiles: true,
  leftOut,
  isManual: needsManual,
  check,
  build: (given) => (needsManual(given) ? [manualPacket(given)] : build(given)),
  send,
  honoursIdentity: (settings) => readSettings({ settings }).resend === "by-identity",
  testConnection,
  inquire,
  onPush: readPush,
  requestName: claimUrlOf,
  pushes: {
    wanted: (settings) => wantedBy[readSettings({ settings }).subscription],
    offered: notificationsOffered,
    subscribe,
    unsubscribe,
  },
};

const wantedBy = { none: "no", "rest-hook": "yes", offered: "where-offered" } as const;

/** No version has a place for a facility without a name. */
function leftOut({ facility }: Build["review"]): readonly string[] {
  return facility && nonBlank(facility.name) === undefined ? ["/facility"] : [];
}

/**
 * A person must change a request that the payer did not get from this connector or does not let it change, and bring it a
 * new file that it does not take over its connection.
 */
function needsManual(from: Build): boolean {
  const { action, update, destination } = from;
  if (action === "transmit" && !update) return false;
  if (!isSupported(destination, action === "void" ? "voids" : "updates")) return true;
  if (action === "transmit" && !isSupported(destination, "files") && bringsFiles(from)) return true;
  return previousOf(from) === undefined;
}

async function send(calls: readonly Call[], transport: Transport): Promise<SubmissionResponse> {
  const [call] = calls;
  assert(call && calls.length === 1, "a PAS submission is one call");
  const sent = readFrozenRequest(call);
  assert(sent, "only a request this connector built is sent");
  const exchange = await exchangeWithPayer(call, transport);
  return { answer: answerOf(sent, exchange), bytes: bytesOf(exchange), host: hostOutcome(exchange) };
}

async function inquire(request: InquiryRequest, transport: Transport): Promise<PayerResponse<Inquiry>> {
  const call = request.sent.find((each) => readFrozenRequest(each) !== undefined);
  const sent = call && readFrozenRequest(call);
  if (!sent)
    return {
      answer: { type: "unknown", reason: payerReasons.notSentHere },
      bytes: undefined,
    };
  const ask = (example: Example) => askAs(example, { call, sent, request, transport });
  // What would prove an answer to be ours is not told to whom we ask for it: services prove it where no number does.
  const isNamed = request.payerReference !== undefined && request.unconfirmed !== true;
  const found = isNamed ? await ask("request") : undefined;
  return found && !found.isFruitless ? found : ask("any-service");
}

type Asking = {
  readonly call: Call;
  readonly sent: FrozenRequest;
  readonly request: InquiryRequest;
  readonly transport: Transport;
};

/** One inquiry; fruitless if the payer finds nothing that is certainly ours by the example, or does not take it. */
async function askAs(
  example: Example,
  { call, sent, request, transport }: Asking,
): Promise<PayerResponse<Inquiry> & { readonly isFruitless: boolean }> {
  const { destination, payerReference } = request;
  const trace = randomUUID();
  const body = inquiry({ sent: call, destination, payerReference, trace, example });
  const exchange = await exchangeWithPayer(body, transport);
  const others = (request.others ?? []).flatMap((each) => readFrozenRequest(each) ?? []);
  const known = {
    sentRequests: [...others, sent],
    unconfirmed: request.unconfirmed === true,
    lastSentAt: request.sentAt,
    payerReference,
    inquiryTrace: trace,
    servicesNamed: example === "request",
  };
  const answer = inquiryOf(known, exchange);
  const isRefused = exchange.kind === "reply" && (exchange.status === 400 || exchange.status === 422);
  // A failed inquiry says nothing about the case, so its bytes are not stored for a person to read.
  const bytes = exchange.kind === "reply" && exchange.status === 200 ? exchange.bytes : undefined;
  const isUnnamed = bytes !== undefined && answer.type === "unknown";
  return { answer, bytes, isFruitless: isRefused || isUnnamed || answer.type === "none" };
}

function bytesOf(exchange: Exchange): Uint8Array | undefined {
  return exchange.kind === "reply" ? exchange.bytes : undefined;
}
