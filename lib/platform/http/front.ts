import { randomUUID } from "node:crypto";
import { createServer, ServerResponse, STATUS_CODES, type IncomingMessage, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { clientAddress } from "./client-address.ts";
import { bodyBytesMax } from "./arrival.ts";
import { shedBody } from "./load-shedding.ts";
import {
  busyError,
  helpOf,
  internalError,
  invalidRequest,
  named,
  noContent,
  replyError,
  requestIdHeader,
  type Reply,
} from "./reply.ts";
import { boundConnections, type Connections } from "./connections.ts";
import { formBytesMax } from "./form-bytes.ts";
import { watchOpenBodies } from "./open-bodies.ts";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

export type FrontOptions = {
  /** Listeners by exact path; everything else goes to `rest`. */
  readonly byPath: Readonly<Record<string, Listener>>;
  /** Listeners by what a path begins with, where none has it exactly. */
  readonly byPrefix?: Readonly<Record<string, Listener>> | undefined;
  readonly rest: Listener;
  /** What every answer carries. */
  readonly headers?: Map<string, string> | undefined;
  /** Whether to leave a protocol upgrade to `rest`; otherwise it is answered like any request. */
  readonly upgrades: (incoming: IncomingMessage) => boolean;
  readonly onError: (error: unknown, requestId: string) => void;
  /** Told of each request that was refused here, before any listener. */
  readonly onRefused?: ((status: number, requestId: string) => void) | undefined;
  /** Where errors are explained; each error from here names it. */
  readonly help?: string | undefined;
  /** How long a body that gave way waits for its answer; given by tests only. */
  readonly shedWaitMs?: number | undefined;
};

/**
 * The HTTP server in front of everything. What it cannot pass on, it answers in JSON itself; every wait has an end, and
 * what one address may have open at once has a bound.
 */
export function createFront(options: FrontOptions): Server {
  const server = createServer({
    requireHostHeader: false,
    headersTimeout: 10_000,
    requestTimeout: 45_000,
    // Longer than a proxy in front keeps its side open, so that it never sends into a connection we just closed.
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 5_000,
    shouldUpgradeCallback: options.upgrades,
  });
  const connections = boundConnections(server);
  const watchBody = watchOpenBodies({
    addressOf: (incoming) => clientAddress(incoming),
    giveUp: createShedding(options, connections),
  });
  server.on("request", (incoming, outgoing) => {
    const target = originForm(incoming.url ?? "");
    if (target !== undefined) incoming.url = target;
    const path = target?.split("?", 1)[0];
    const listener = path === undefined ? undefined : listenerAt(path, options);
    watchBody(incoming, listener ? bodyBytesMax : formBytesMax);
    void pass({ incoming, outgoing, path, listener }, options);
  });
  server.on("checkExpectation", (_, outgoing) =>
    refuse(outgoing, 417, "No expectation but 100-continue is met.", options),
  );
  server.on("clientError", (error, socket) => answerClientError(error, socket, options));
  return server;
}

/** So long a body that gave way waits for its answer, or whoever comes again at once would begin thousands a second. */
const answeredAfterMs = 5_000;

/** Of a connection that waits so nothing but itself is kept. */
const shedMax = 4_096;

function createShedding(options: FrontOptions, connections: Connections): (incoming: IncomingMessage) => void {
  const { shedWaitMs = answeredAfterMs } = options;
  let waiting = 0;
  const tell = (socket: Duplex) => {
    if (socket.destroyed) return;
    if (hasBegunToAnswer(socket)) return void socket.destroy();
    say(socket, shed(randomUUID(), options.help), options);
  };
  return (incoming) => {
    const { socket } = incoming;
    if (waiting >= shedMax || !shedBody(incoming)) return tell(socket);
    waiting += 1;
    connections.spare(socket);
    const later = setTimeout(tell, shedWaitMs, socket);
    socket.once("close", () => {
      waiting -= 1;
      clearTimeout(later);
    });
  };
}

type Passing = {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly path: string | undefined;
  readonly listener: Listener | undefined;
};

async function pass({ incoming, outgoing, path, listener }: Passing, options: FrontOptions): Promise<void> {
  if (options.headers) outgoing.setHeaders(options.headers);
  const isAddressed = isHost(incoming.headers.host) && !hasTwoHosts(incoming);
  if (path === undefined || !(isAddressed || mayLackHost(incoming, path))) {
    return refuse(outgoing, 400, "The request's target or Host is malformed.", options);
  }
  // Next fails on it, and nobody needs it.
  if ((listener ?? options.rest) === options.rest && incoming.method === "TRACE")
    return refuse(outgoing, 405, "TRACE is not served.", options);
  try {
    await (listener ?? options.rest)(incoming, outgoing);
  } catch (error) {
    const requestId = randomUUID();
    options.onError(error, requestId);
    if (outgoing.headersSent) outgoing.destroy();
    else answer(outgoing, failed(requestId, options.help));
  }
}

function listenerAt(path: string, { byPath, byPrefix = {} }: FrontOptions): Listener | undefined {
  if (Object.hasOwn(byPath, path)) return byPath[path];
  return Object.entries(byPrefix).find(([prefix]) => path.startsWith(prefix))?.[1];
}

/**
 * A request's target as a path with its query, from either of its forms (RFC 9112, 3.2); undefined for any other. The host
 * in an absolute one is whatever its sender wrote, and nothing behind the front is to lead there.
 */
function originForm(target: string): string | undefined {
  if (target.startsWith("/")) return target;
  const url = URL.parse(target);
  return url?.pathname.startsWith("/") ? `${url.pathname}${url.search}` : undefined;
}

/** HTTP/1.0 knows no Host (RFC 1945), and the checks of many load balancers speak it: they may ask for our health. */
function mayLackHost({ httpVersion, headers }: IncomingMessage, path: string): boolean {
  return httpVersion === "1.0" && headers.host === undefined && path.startsWith("/health/");
}

function isHost(host: string | undefined): boolean {
  return /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.test(host ?? "");
}

/** Node keeps the first of two, and a proxy in front may have gone by the other (RFC 9112, 3.2). */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  const isName = (word: string, at: number) => at % 2 === 0 && word.length === 4 && word.toLowerCase() === "host";
  return rawHeaders.findIndex(isName) !== rawHeaders.findLastIndex(isName);
}

/** Writes a whole reply, and ends the connection where the request's body was not read to its end. */
export function answer(outgoing: ServerResponse, { status, headers, body }: Reply): void {
  const unread = outgoing.req.readableEnded || isBodiless(outgoing.req) ? undefined : { connection: "close" };
  const length = status === noContent ? undefined : { "content-length": Buffer.byteLength(body) };
  outgoing.writeHead(status, { ...headers, ...length, ...unread });
  outgoing.end(outgoing.req.method === "HEAD" ? undefined : body);
}

function isBodiless({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0";
}

function refuse(outgoing: ServerResponse, status: number, problem: string, { onRefused, help }: FrontOptions): void {
  const requestId = randomUUID();
  answer(outgoing, malformed(status, problem, requestId, help));
  onRefused?.(status, requestId);
}

/** Answers in JSON where nothing is served, for callers that are programs; `help` is where errors are explained. */
export function nothingHere(help?: string): Listener {
  return (_, outgoing) => {
    const requestId = String(outgoing.getHeader(requestIdHeader) ?? randomUUID());
    const problem = "Nothing is served here: send a POST to /api/a2a.";
    answer(outgoing, malformed(404, problem, requestId, help));
  };
}

function malformed(status: number, problem: string, requestId: string, help: string | undefined): Reply {
  const data = { problem, requestId, help: helpOf(help, invalidRequest) };
  return named(replyError({ status, error: { ...invalidRequest, data } }), requestId);
}

/** To a body that gave way: it may pass the next time, and at once. */
function shed(requestId: string, help: string | undefined): Reply {
  const problem = "Other bodies from the same address came meanwhile: send it again, and without a pause.";
  const data = { problem, requestId, help: helpOf(help, busyError) };
  const error = { ...busyError, data };
  return named(replyError({ status: 503, error, headers: { "retry-after": "1" } }), requestId);
}

function failed(requestId: string, help: string | undefined): Reply {
  const data = { requestId, help: helpOf(help, internalError) };
  return named(replyError({ status: 500, error: { ...internalError, data } }), requestId);
}

const clientErrors: Readonly<Record<string, readonly [status: number, problem: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "The headers are too long."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not arrive in time."],
};

/** Node could not read a request from this connection: it is told so in JSON, and the connection ends. */
function answerClientError(error: Error & { readonly code?: string }, socket: Duplex, options: FrontOptions): void {
  // Whoever has sent a whole request is not told that it was none: it may be carried out.
  const isWhole = underWay(socket)?.req.complete === true;
  if (error.code === "ECONNRESET" || !socket.writable || isWhole || hasBegunToAnswer(socket))
    return void socket.destroy();
  const [status, problem] = clientErrors[error.code ?? ""] ?? [400, "This is not an HTTP request."];
  say(socket, malformed(status, problem, randomUUID(), options.help), options);
}

/** Node keeps the response under way here; writing beside it would corrupt it. */
function hasBegunToAnswer(socket: Duplex): boolean {
  return underWay(socket)?.headersSent === true;
}

function underWay(socket: Duplex): ServerResponse | undefined {
  return "_httpMessage" in socket && socket._httpMessage instanceof ServerResponse ? socket._httpMessage : undefined;
}

/** Says it past whoever was to answer on this connection, and ends it. */
function say(socket: Duplex, { status, headers, body }: Reply, { onRefused }: FrontOptions): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.cork();
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  socket.end(body, () => socket.destroy());
  onRefused?.(status, headers[requestIdHeader] ?? "");
}
