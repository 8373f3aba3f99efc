import type { Answer, Inquiry } from "#lib/payer/connector";
import type { Exchange } from "#lib/outbound/exchange";
import { decisionOf, instant } from "./determination.ts";
import { namesItems, namesPatient, namesRequest } from "./echo.ts";
import { isHeaderOnly } from "./lines.ts";
import { afterwards, issuesOf, rejectionOf } from "./rejection.ts";
import { readPayload, type Payload, type ResponseBundle } from "./reply.ts";
import type { Sent } from "./sent.ts";

/** A reply, read as far as it can be. */
type Heard = {
  readonly sent: Sent;
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  readonly payload: Payload;
};
type Row = { readonly when: string; readonly says: (heard: Heard) => Answer | undefined };

const beforeProcessing = new Set([401, 403, 429]);

/**
 * From HTTP and payload to an answer: the first row that says something. What
 * no row understands is `unknown`, which moves nothing. PAS 2.2.1 "Prior
 * Authorization Transaction Error Handling" for the statuses, "Prior
 * Authorization Response" for the payload.
 */
const rows: readonly Row[] = [
  {
    when: "401, 403 or 429: refused at the door",
    says: ({ status, retryAfterMs }) => (beforeProcessing.has(status) ? notSent(status, retryAfterMs) : undefined),
  },
  {
    when: "503 that says when to come back",
    says: ({ status, retryAfterMs }) =>
      status === 503 && retryAfterMs !== undefined ? notSent(status, retryAfterMs) : undefined,
  },
  {
    when: "any other 5xx",
    says: ({ status }) => (status >= 500 ? unknown(`The payer answered HTTP ${status}.`) : undefined),
  },
  {
    when: "a redirect, which is never followed",
    says: ({ status }) =>
      status >= 300 && status < 400 ? unknown(`The payer answered with a redirect (HTTP ${status}).`) : undefined,
  },
  {
    when: "408 or 409: the request may be there already",
    says: ({ status }) =>
      status === 408 || status === 409
        ? unknown(`The payer answered HTTP ${status}: it may have the request.`)
        : undefined,
  },
  {
    when: "not a FHIR resource we can read",
    says: ({ status, payload }) =>
      payload.kind === "unreadable" ? unknown(`${payload.reason} (HTTP ${status})`) : undefined,
  },
  { when: "test data on a live route, or the other way round", says: ({ sent, payload }) => misplaced(sent, payload) },
  {
    when: "4xx with an OperationOutcome: not processed, for the sender to correct",
    says: ({ status, payload }) =>
      status >= 400 && payload.kind === "outcome"
        ? {
            type: "rejected",
            correction: "correctable",
            reason: `The payer's server refused the request (HTTP ${status}): ${issuesOf(payload.outcome)}.`,
          }
        : undefined,
  },
  {
    when: "anything but 200 with a response bundle",
    says: ({ status, payload }) =>
      status === 200 && payload.kind === "bundle"
        ? undefined
        : unknown(`The payer answered HTTP ${status} with something else than a response bundle.`),
  },
  {
    when: "200 with a response bundle: an answer to this very request, or unknown",
    says: ({ sent, payload }) => (payload.kind === "bundle" ? responseOf(sent, payload.bundle) : undefined),
  },
];

/** What a submission's exchange amounts to. Total: whatever came back, there is exactly one answer. */
export function answerOf(sent: Sent, heard: Exchange): Answer {
  switch (heard.kind) {
    case "unsent":
      return { type: "notSent", reason: heard.reason, retryAfterMs: heard.retryAfterMs };
    case "lost":
      return unknown(heard.reason);
    case "reply": {
      const read: Heard = { sent, status: heard.status, retryAfterMs: heard.retryAfterMs, payload: readPayload(heard) };
      for (const { says } of rows) {
        const answer = says(read);
        if (answer) return answer;
      }
      return unknown(`The payer's reply (HTTP ${heard.status}) is not understood.`);
    }
  }
}

/** A case we ask about or hear about. */
export type Known = {
  /** What left for it; the last is the request that stands. */
  readonly sents: readonly Sent[];
  /** Only an answer that names the last of them counts, for that one may not have arrived. */
  readonly doubted: boolean;
};

/**
 * What an inquiry's exchange amounts to. PAS 2.2.1 answers Parameters with any
 * number of bundles, 2.0.1 one bundle; only one that names our request counts,
 * and none is not proof of absence.
 */
export function inquiryOf(known: Known, heard: Exchange): Inquiry {
  if (heard.kind !== "reply") return doubtful(heard.reason);
  if (heard.status !== 200)
    return {
      ...doubtful(`The payer answered the inquiry with HTTP ${heard.status}.`),
      retryAfterMs: heard.retryAfterMs,
    };
  const payload = readPayload(heard);
  if (payload.kind === "unreadable") return doubtful(payload.reason);
  if (payload.kind === "outcome") return doubtful("The payer answered the inquiry with an OperationOutcome.");
  const last = known.sents.at(-1);
  const wrong = last && misplaced(last, payload);
  if (wrong) return doubtful(wrong.reason);
  const bundles = payload.kind === "bundle" ? [payload.bundle] : payload.bundles;
  const ours = bundles.filter((bundle) => aboutOf(known, bundle));
  if (ours.length > 1) return doubtful("The payer answered the inquiry with several cases for one trace number.");
  const [bundle] = ours;
  return bundle ? standingOf(known, bundle) : { type: "none" };
}

/** The payer's word about a case as it stands, whoever began to speak: an answer to one of our requests, or none of ours. */
export function standingOf(known: Known, bundle: ResponseBundle): Inquiry {
  const about = aboutOf(known, bundle);
  return about ? standingAs(about, bundle) : { type: "none" };
}

/** The same of a bundle that is known to answer this request. */
export function standingAs(about: Sent, bundle: ResponseBundle): Inquiry {
  const answer = readAs(about, bundle);
  switch (answer.type) {
    case "accepted":
    case "decided":
    case "cancelled":
    case "contact-payer":
      return { type: "match", answer };
    case "rejected": {
      const { reason, correction } = answer;
      const at = instant(bundle.response.created);
      return {
        type: "rejected",
        correction: afterwards[correction],
        reason,
        of: about.call,
        at: at === undefined ? undefined : new Date(at),
      };
    }
    case "notSent":
    case "unknown":
      return doubtful(answer.reason);
  }
}

/** Which of our requests a bundle answers: the last it may speak of, by name and by items. */
function aboutOf({ sents, doubted }: Known, bundle: ResponseBundle): Sent | undefined {
  const last = sents.at(-1);
  const named = sents.findLast((sent) => namesRequest({ sent, others: sents, bundle, asked: "inquire" }));
  if (!last || !named || (doubted && named !== last)) return undefined;
  // What decides the whole at once speaks of the request it names, whichever items that had.
  return !isHeaderOnly(bundle.response) && namesItems(last, bundle) ? last : named;
}

function responseOf(sent: Sent, bundle: ResponseBundle): Answer {
  if (!namesRequest({ sent, others: [], bundle, asked: "submit" }))
    return unknown("The payer's reply does not echo our trace number.");
  return readAs(sent, bundle);
}

function readAs(sent: Sent, bundle: ResponseBundle): Answer {
  if (!namesPatient(sent, bundle)) return unknown("The payer's reply speaks of another patient.");
  const { error = [], item = [], status } = bundle.response;
  if (status !== "active") return unknown("The payer's reply is a ClaimResponse that is not active.");
  if (error.length > 0)
    return item.length > 0 ? unknown("The payer's reply both refuses and decides.") : rejectionOf(error);
  if (!namesItems(sent, bundle))
    return unknown("The payer's reply does not speak of exactly the items that were sent.");
  return decisionOf(sent, bundle);
}

function misplaced(sent: Sent, payload: Payload): Extract<Answer, { type: "unknown" }> | undefined {
  return payload.kind === "unreadable" ? undefined : misplacedData(sent, payload.test);
}

/** Why data that is or is not marked as test data is no answer to this request; undefined where it may be one. */
export function misplacedData(sent: Sent, test: boolean): Extract<Answer, { type: "unknown" }> | undefined {
  if (test === sent.test) return undefined;
  return unknown(
    sent.test
      ? "The answer to a test request lacks the test marker (meta.tag HTEST): this may be a live payer."
      : "The answer to a live request carries the test marker (meta.tag HTEST).",
  );
}

function notSent(status: number, retryAfterMs: number | undefined): Answer {
  return { type: "notSent", reason: `The payer refused before processing (HTTP ${status}).`, retryAfterMs };
}

function unknown(reason: string): Extract<Answer, { type: "unknown" }> {
  return { type: "unknown", reason };
}

function doubtful(reason: string): Extract<Inquiry, { type: "unknown" }> {
  return { type: "unknown", reason };
}
