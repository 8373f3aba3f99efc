import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { capabilityStatement } from "./capability.ts";
import { control } from "./control.ts";
import { faults, type Fault, type Operation } from "./faults.ts";
import type { Node } from "./json.ts";
import type { Payer, PayerReply } from "./payer.ts";
import { mixedUp, operationOutcome, unmarked } from "./response.ts";

/** The largest request the payer takes: 20 MB. */
const requestBytesMax = 20_000_000;

export type Seen = { readonly method: string; readonly path: string; readonly status: number; readonly ms: number };

type Options = {
  readonly payer: Payer;
  /** The bearer credential /fhir asks for; without one, any will do. */
  readonly token?: string | undefined;
  /** Told of every request once it is over; never of what was in it. */
  readonly onRequest?: ((seen: Seen) => void) | undefined;
};

type Reply = {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
};
type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly options: Options;
};

const operations: Readonly<Record<string, Operation>> = {
  "/Claim/$submit": "submit",
  "/Claim/$inquire": "inquire",
};

/** The simulator's HTTP face: FHIR under /fhir or the root, steering under /control, and /health. */
export function createSimulator(options: Options): Server {
  return createServer({ requestTimeout: 60_000 }, (request, response) => {
    const startedAt = performance.now();
    const url = new URL(request.url ?? "/", "http://simulator");
    response.once("close", () => {
      const ms = Math.round(performance.now() - startedAt);
      options.onRequest?.({
        method: request.method ?? "",
        path: url.pathname,
        status: response.writableFinished ? response.statusCode : 0,
        ms,
      });
    });
    respond({ request, response, url, options }).catch(() => response.destroy());
  });
}

async function respond(exchange: Exchange): Promise<void> {
  const { request, url, options } = exchange;
  const route = `${request.method} ${url.pathname}`;
  // Whoever sets a route may take either for the base address.
  const path = url.pathname.replace(/^\/fhir(?=\/)/, "");
  if (route === "GET /health") return finish(exchange, json(200, { status: "ok" }));
  if (url.pathname.startsWith("/control/")) return respondControl(exchange);
  if (request.method === "GET" && path === "/metadata") return finish(exchange, fhir(200, capabilityStatement));
  const operation = operations[path];
  if (!operation && path === url.pathname) return finish(exchange, json(404, { problem: "nothing is here" }));
  if (!operation)
    return finish(exchange, outcome(404, "not-found", "This server has Claim/$submit and Claim/$inquire."));
  if (request.method !== "POST")
    return finish(exchange, {
      ...outcome(405, "not-supported", "This operation is a POST."),
      headers: { Allow: "POST" },
    });
  if (!isAuthorized(request, options.token)) return finish(exchange, unauthorized());
  return respondFhir(exchange, operation);
}

async function respondFhir(exchange: Exchange, operation: Operation): Promise<void> {
  const { request, options } = exchange;
  const fault = options.payer.faults.next(operation);
  const bytes = await bodyOf(request);
  if (fault && faults[fault.fault].refuses) return finish(exchange, refusalOf(fault));
  if (!bytes) return finish(exchange, outcome(413, "too-long", "The request is too large."));
  if (!/^application\/(?:fhir\+)?json\b/i.test(request.headers["content-type"] ?? "")) {
    return finish(exchange, outcome(415, "not-supported", "The body must be application/fhir+json."));
  }
  const value = parsed(bytes);
  if (value === undefined) return finish(exchange, outcome(400, "structure", "The body is not JSON in UTF-8."));
  const reply = options.payer[operation](value, bytes);
  return fault && reply.accepted ? strike(exchange, fault, reply) : finish(exchange, fhir(reply.status, reply.body));
}

async function respondControl(exchange: Exchange): Promise<void> {
  const { request, url, options } = exchange;
  const bytes = await bodyOf(request);
  const body = bytes && bytes.byteLength > 0 ? parsed(bytes) : {};
  if (body === undefined) return finish(exchange, json(400, { problem: "the body is not JSON" }));
  const reply = control(options.payer, { method: request.method ?? "", url, body });
  return finish(exchange, reply ? json(reply.status, reply.body) : json(404, { problem: "no such control" }));
}

/** Spoils the reply to a request that was accepted. */
function strike(exchange: Exchange, { fault, ms }: Fault, { status, body }: PayerReply): void {
  const { response } = exchange;
  const whole = fhir(status, body);
  switch (fault) {
    case "drop":
      response.destroy();
      return;
    case "truncate":
      response.writeHead(200, { "Content-Type": whole.type, "Content-Length": Buffer.byteLength(whole.body) });
      response.write(whole.body.slice(0, whole.body.length / 2), () => response.destroy());
      return;
    case "slow": {
      const timer = setTimeout(() => finish(exchange, whole), ms);
      response.once("close", () => clearTimeout(timer));
      return;
    }
    case "html":
      return finish(exchange, { status: 200, type: "text/html", body: "<!doctype html><title>Maintenance</title>" });
    case "huge":
      return finish(exchange, { ...whole, body: " ".repeat(6_000_000) + whole.body });
    case "wrong-id":
      return finish(exchange, fhir(200, mixedUp(body)));
    case "unmarked":
      return finish(exchange, fhir(200, unmarked(body)));
    case "error-500":
    case "unauthorized":
    case "rate-limited":
    case "unavailable":
    case "invalid":
      return finish(exchange, { status: 500, type: "text/plain", body: "internal error" });
  }
}

function refusalOf({ fault }: Fault): Reply {
  if (fault === "rate-limited")
    return { ...outcome(429, "throttled", "Too many requests."), headers: { "Retry-After": "2" } };
  if (fault === "unavailable")
    return { status: 503, type: "text/plain", body: "unavailable", headers: { "Retry-After": "2" } };
  return fault === "unauthorized" ? unauthorized() : outcome(422, "invalid", "Refused by a planned fault.");
}

function unauthorized(): Reply {
  return { ...outcome(401, "login", "A bearer credential is needed."), headers: { "WWW-Authenticate": "Bearer" } };
}

function isAuthorized({ headers }: IncomingMessage, token: string | undefined): boolean {
  const given = /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1];
  return given !== undefined && (token === undefined || given === token);
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    // Safe because no encoding was set on the request.
    const bytes = chunk as Uint8Array;
    size += bytes.byteLength;
    if (size <= requestBytesMax) chunks.push(bytes);
  }
  return size <= requestBytesMax ? Buffer.concat(chunks) : undefined;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function outcome(status: number, code: string, text: string): Reply {
  return fhir(status, operationOutcome([{ code, text }]));
}

function fhir(status: number, body: Node): Reply {
  return { status, type: "application/fhir+json", body: JSON.stringify(body) };
}

function json(status: number, body: unknown): Reply {
  return { status, type: "application/json", body: JSON.stringify(body) };
}

function finish({ response }: Exchange, { status, type, body, headers = {} }: Reply): void {
  response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store", ...headers });
  response.end(body);
}
