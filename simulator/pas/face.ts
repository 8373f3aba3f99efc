import { createHash } from "node:crypto";
import type { About } from "#simulator/about";
import type { Payer } from "#simulator/core/payer";
import type { Answer, PayerRequest, Face } from "#simulator/face";
import type { Refusal } from "#simulator/faults";
import { parsed, type Call, type Reply } from "#simulator/http";
import { nodesAt, textAt, type Node } from "#simulator/json";
import type { Guard } from "#simulator/tokens/guard";
import { capabilityStatement } from "./capability.ts";
import { inquire, submit, type Result } from "./operations.ts";
import { operationOutcome } from "./outcome.ts";
import { memberIdOf } from "./party-rules.ts";
import { requestIn } from "./rules.ts";
import { spoiled } from "./spoiled.ts";
import { forget, subscribe, tell } from "./subscription-operations.ts";
import type { Subscriptions } from "./subscriptions.ts";
import { basePaths, type PasVersion } from "./version.ts";

type Desk = { readonly payer: Payer; readonly guard: Guard; readonly subscriptions: Subscriptions };

/** A request under a base address. */
type AddressedCall = {
  readonly call: Call;
  readonly version: PasVersion;
  readonly base: string;
  readonly path: string;
};

/** HL7 Da Vinci PAS over the payer: 2.2.1 under /fhir or the root, 2.0.1 under /fhir-2.0.1. */
export function pasFace(desk: Desk): Face {
  return { open: (call) => Promise.resolve(open(desk, call)), refuse };
}

/** The addresses of a base, with the verbs they have. */
const addresses: readonly { readonly path: RegExp; readonly verbs: readonly string[] }[] = [
  { path: /^\/Claim\/\$(?:submit|inquire)$/, verbs: ["POST"] },
  { path: /^\/Subscription$/, verbs: ["POST"] },
  { path: /^\/Subscription\/[^/]+$/, verbs: ["GET", "DELETE"] },
  { path: /^\/Subscription\/[^/]+\/\$status$/, verbs: ["GET"] },
];

function open(desk: Desk, call: Call): PayerRequest | Reply | undefined {
  const { version, path, base } = addressOf(call.url.pathname);
  if (call.method === "GET" && path === "/metadata") return fhir(200, capabilityStatement(version));
  const address = addresses.find((each) => each.path.test(path));
  // Whoever sets a route may take the root for the base address, but not every address there is ours.
  if (!address && base === "") return undefined;
  if (!address) return outcome(404, "not-found", "This server has Claim/$submit, Claim/$inquire and Subscription.");
  if (!address.verbs.includes(call.method))
    return {
      ...outcome(405, "not-supported", "This address has other verbs."),
      headers: { Allow: address.verbs.join(", ") },
    };
  const authorization = call.headers.authorization;
  const admitted = desk.guard.check(authorization);
  if (admitted !== "ok") return unauthorized(admitted);
  const addressed: AddressedCall = { call, version, base, path };
  const expire = () => desk.guard.expire(authorization);
  return path.startsWith("/Claim/")
    ? { ...payerRequest(desk, addressed), expire }
    : { ...subscriptionRequest(desk, addressed), expire };
}

function addressOf(pathname: string): Omit<AddressedCall, "call"> {
  for (const version of ["2.0.1", "2.2.1"] as const) {
    const base = basePaths[version];
    if (pathname.startsWith(`${base}/`)) return { version, base, path: pathname.slice(base.length) };
  }
  return { version: "2.2.1", base: "", path: pathname };
}

function payerRequest({ payer }: Desk, addressed: AddressedCall): PayerRequest {
  const operation = addressed.path === "/Claim/$submit" ? "submit" : "inquire";
  const body = bodyIn(addressed.call);
  if (!body.ok) return { operation, about: {}, answer: () => refused(body.reply) };
  const { value, bytes } = body;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const answer = operation === "submit" ? submit : inquire;
  const { version } = addressed;
  return {
    operation,
    about: aboutOf(value, version),
    answer: () => answerOf(answer(payer, { value, sha256, version })),
  };
}

function subscriptionRequest({ subscriptions }: Desk, { call, path, base, version }: AddressedCall): PayerRequest {
  const [, , id = "", query] = path.split("/");
  const operation = "subscribe";
  if (call.method === "GET")
    return { operation, about: {}, answer: () => answerOf(tell(subscriptions, { id, status: query !== undefined })) };
  if (call.method === "DELETE") return { operation, about: {}, answer: () => answerOf(forget(subscriptions, id)) };
  const body = bodyIn(call);
  if (!body.ok) return { operation, about: {}, answer: () => refused(body.reply) };
  const at = { base: `http://${call.headers.host ?? "localhost"}${base}`, version };
  return { operation, about: {}, answer: () => answerOf(subscribe(subscriptions, body.value, at)) };
}

type Body =
  | { readonly ok: true; readonly value: unknown; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reply: Reply };

function bodyIn({ headers, body: bytes }: Call): Body {
  if (!bytes) return { ok: false, reply: outcome(413, "too-long", "The request is too large.") };
  if (!/^application\/(?:fhir\+)?json\b/i.test(headers["content-type"] ?? ""))
    return { ok: false, reply: outcome(415, "not-supported", "The body must be application/fhir+json.") };
  const value = parsed(bytes);
  if (value === undefined) return { ok: false, reply: outcome(400, "structure", "The body is not JSON in UTF-8.") };
  return { ok: true, value, bytes };
}

/** Whom a body is about, whether or not it is a valid request. */
function aboutOf(value: unknown, version: PasVersion): About {
  const request = requestIn(value, version);
  const trace = request && nodesAt(request.claim, "identifier")[0];
  return request ? { memberId: memberIdOf(request), trace: trace && textAt(trace, "value") } : {};
}

function answerOf({ status, body, accepted, location }: Result): Answer {
  const plain = body === undefined ? { status, type: "text/plain", body: "" } : fhir(status, body);
  const reply = location === undefined ? plain : { ...plain, headers: { Location: location } };
  return { reply, accepted, spoiled: (how) => ({ ...reply, body: JSON.stringify(spoiled(body ?? {}, how)) }) };
}

function refused(reply: Reply): Answer {
  return { reply, accepted: false, spoiled: () => reply };
}

function unauthorized(why: "missing" | "wrong" | "expired"): Reply {
  const challenge = why === "missing" ? "Bearer" : 'Bearer error="invalid_token"';
  const text = {
    missing: "A bearer credential is needed.",
    wrong: "This credential is not ours.",
    expired: "This token has expired.",
  };
  return {
    ...outcome(401, why === "expired" ? "expired" : "login", text[why]),
    headers: { "WWW-Authenticate": challenge },
  };
}

function refuse(refusal: Refusal, retryAfterS: number): Reply {
  const headers = { "Retry-After": String(retryAfterS) };
  switch (refusal) {
    case "unauthorized":
      return unauthorized("expired");
    case "rate-limited":
      return { ...outcome(429, "throttled", "Too many requests."), headers };
    case "unavailable":
      return { status: 503, type: "text/plain", body: "unavailable", headers };
    case "broken":
      return { status: 500, type: "text/plain", body: "internal error" };
    case "invalid":
      return outcome(422, "invalid", "Refused by a planned fault.");
  }
}

function outcome(status: number, code: string, text: string): Reply {
  return fhir(status, operationOutcome([{ code, text }]));
}

function fhir(status: number, body: Node): Reply {
  return { status, type: "application/fhir+json", body: JSON.stringify(body) };
}
