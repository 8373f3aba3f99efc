import { createHash } from "node:crypto";
import type { Payer } from "#simulator/core/payer";
import type { Answer, Asked, Face } from "#simulator/face";
import type { Refusal } from "#simulator/faults";
import type { Call, Reply } from "#simulator/http";
import { parsed } from "#simulator/http";
import type { Node } from "#simulator/json";
import { capabilityStatement } from "./capability.ts";
import { inquire, submit, type Result } from "./operations.ts";
import { operationOutcome } from "./outcome.ts";
import { mixedUp, unmarked } from "./response.ts";
import { basePaths, type PasVersion } from "./version.ts";

const operations = { submit, inquire };
type Ask = keyof typeof operations;
type Desk = { readonly payer: Payer; readonly token: string | undefined };

const addresses: Readonly<Record<string, Ask>> = { "/Claim/$submit": "submit", "/Claim/$inquire": "inquire" };

/** HL7 Da Vinci PAS over the payer: 2.2.1 under /fhir or the root, 2.0.1 under /fhir-2.0.1. Without a token, any bearer credential will do. */
export function pasFace(desk: Desk): Face {
  return { open: (call) => Promise.resolve(open(desk, call)), refuse };
}

function open(desk: Desk, call: Call): Asked | Reply | undefined {
  const { method, url, headers } = call;
  const address = addressOf(url.pathname);
  if (method === "GET" && address.path === "/metadata") return fhir(200, capabilityStatement(address.version));
  const operation = addresses[address.path];
  if (!operation && !address.isBelowBase) return undefined;
  if (!operation) return outcome(404, "not-found", "This server has Claim/$submit and Claim/$inquire.");
  if (method !== "POST")
    return { ...outcome(405, "not-supported", "This operation is a POST."), headers: { Allow: "POST" } };
  const given = /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1];
  if (given === undefined || (desk.token !== undefined && given !== desk.token)) return refuse("unauthorized");
  return { operation, answer: () => answer(desk.payer, operation, { call, version: address.version }) };
}

type Address = { readonly version: PasVersion; readonly path: string; readonly isBelowBase: boolean };

/** Whoever sets a route may take the root for the base address; it speaks the current version. */
function addressOf(pathname: string): Address {
  for (const version of ["2.0.1", "2.2.1"] as const) {
    const base = basePaths[version];
    if (pathname.startsWith(`${base}/`)) return { version, path: pathname.slice(base.length), isBelowBase: true };
  }
  return { version: "2.2.1", path: pathname, isBelowBase: false };
}

function answer(
  payer: Payer,
  operation: Ask,
  { call, version }: { readonly call: Call; readonly version: PasVersion },
): Answer {
  const { headers, body: bytes } = call;
  if (!bytes) return refused(outcome(413, "too-long", "The request is too large."));
  if (!/^application\/(?:fhir\+)?json\b/i.test(headers["content-type"] ?? ""))
    return refused(outcome(415, "not-supported", "The body must be application/fhir+json."));
  const value = parsed(bytes);
  if (value === undefined) return refused(outcome(400, "structure", "The body is not JSON in UTF-8."));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return answerOf(operations[operation](payer, { value, sha256, version }));
}

function answerOf({ status, body, accepted }: Result): Answer {
  return {
    reply: fhir(status, body),
    accepted,
    mixedUp: () => JSON.stringify(mixedUp(body)),
    unmarked: () => JSON.stringify(unmarked(body)),
  };
}

function refused(reply: Reply): Answer {
  return { reply, accepted: false, mixedUp: () => reply.body, unmarked: () => reply.body };
}

function refuse(refusal: Refusal): Reply {
  switch (refusal) {
    case "unauthorized":
      return { ...outcome(401, "login", "A bearer credential is needed."), headers: { "WWW-Authenticate": "Bearer" } };
    case "rate-limited":
      return { ...outcome(429, "throttled", "Too many requests."), headers: { "Retry-After": "2" } };
    case "unavailable":
      return { status: 503, type: "text/plain", body: "unavailable", headers: { "Retry-After": "2" } };
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
