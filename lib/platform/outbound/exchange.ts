import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { codeOf } from "./code-of.ts";
import { openSocket, type Reach } from "./open-socket.ts";

/** One request as it will be sent. */
export type Call = {
  readonly method: string;
  readonly url: string;
  readonly contentType: string;
  readonly body: Uint8Array;
};

/** `written`: the operating system has the whole request; `answering`: the head of the reply has arrived. */
export type ExchangeMoment = "connected" | "written" | "answering";

/**
 * What an exchange says of the host it was with, whatever it says of the request. `failing`: it replied that it cannot
 * serve, or that this is too much (5xx, 429). `unreachable`: it gave no whole reply. Reasons hold codes, never content.
 */
export type HostOutcome =
  | { readonly type: "answered" }
  | { readonly type: "failing" | "unreachable"; readonly reason: string; readonly retryAfterMs?: number | undefined };

/** Options of one exchange; `signal` aborts the whole exchange, reply included. */
export type ExchangeOptions = Reach & {
  /** Sent as a bearer token. */
  readonly credential?: string | undefined;
  /** Sent beside those of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** By `performance.now()`: after this, no byte of the request is written, even if this process was suspended. */
  readonly notAfter?: number | undefined;
  /** Called at each step of the sending. */
  readonly onMoment?: ((moment: ExchangeMoment) => void) | undefined;
  /** Called once, unless the exchange failed for a reason of our own. */
  readonly onOutcome?: ((outcome: HostOutcome) => void) | undefined;
  /** The largest reply that is read, in bytes after decompression. */
  readonly replyBytes?: number | undefined;
  /** The reply is its head alone; of its body, whatever it is, nothing is read. */
  readonly isHeadEnough?: boolean | undefined;
};

/** The outcome of one request. Only `unsent` guarantees that no byte of it was sent. */
export type Exchange =
  | {
      readonly kind: "unsent";
      readonly reason: string;
      /** The address itself is forbidden, whatever host is there. */
      readonly refused?: true | undefined;
      /** Nobody was reached there. */
      readonly isUnreachable?: true | undefined;
      /** What was learned of the host before the request could be sent, from its token endpoint. */
      readonly host?: HostOutcome | undefined;
      readonly retryAfterMs?: number | undefined;
    }
  | { readonly kind: "lost"; readonly reason: string }
  | {
      readonly kind: "reply";
      readonly status: number;
      readonly contentType: string;
      readonly headers: IncomingHttpHeaders;
      readonly retryAfterMs: number | undefined;
      readonly bytes: Uint8Array;
    };

const fhirJson = "application/fhir+json";

/** The longest that an exchange may take, connecting and reply included. */
const deadlineMs = 60_000;

/** The largest reply that is read by default, in bytes after decompression. */
export const replyBytesMax = 5_000_000;

/** The most interim replies (1xx) before the one that counts; a host that sends more never comes to it. */
const interimMax = 16;

/** The longest Retry-After that is respected: one day. */
const retryAfterMsMax = 24 * 60 * 60 * 1000;

const decoders = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

/**
 * Sends exactly one call over a connection of its own and reads its reply. It adds only the headers it is given
 * and follows no redirect. The request is written only after the connection is open and, for https, the certificate is verified, so
 * that any failure before that is `unsent`. Reasons hold error codes, never content.
 */
export async function exchange(call: Call, going: ExchangeOptions): Promise<Exchange> {
  const exchanged = await tryExchange(call, going);
  const outcome = hostOutcome(exchanged);
  if (outcome) going.onOutcome?.(outcome);
  return exchanged;
}

/** What an exchange says of the host. Undefined if it failed for a reason of our own. */
export function hostOutcome(exchanged: Exchange): HostOutcome | undefined {
  if (exchanged.kind === "lost") return { type: "unreachable", reason: exchanged.reason };
  if (exchanged.kind === "unsent") {
    const { reason, isUnreachable, host } = exchanged;
    return isUnreachable ? { type: "unreachable", reason } : host;
  }
  const { status, retryAfterMs } = exchanged;
  if (status < 500 && status !== 429) return { type: "answered" };
  return { type: "failing", reason: `HTTP ${status}`, retryAfterMs };
}

async function tryExchange(call: Call, going: ExchangeOptions): Promise<Exchange> {
  if (!URL.canParse(call.url)) return { kind: "unsent", reason: "The address isn't a URL." };
  const url = new URL(call.url);
  const signal = AbortSignal.any([going.signal, AbortSignal.timeout(deadlineMs)]);
  const opened = await openSocket(url, { ...going, signal });
  if (!opened.ok) {
    const { refused, reason } = opened;
    return { kind: "unsent", reason, ...(refused ? { refused } : { isUnreachable: true }) };
  }
  const { socket } = opened;
  going.onMoment?.("connected");
  if (signal.aborted || performance.now() > (going.notAfter ?? Infinity)) {
    socket.destroy();
    return { kind: "unsent", reason: "The time for sending was over before the connection stood." };
  }
  try {
    const outgoing = prepared({ url, call, going, socket, signal });
    return outgoing ? await conversed(outgoing, call.body, going) : unwritable;
  } catch (error) {
    const reason = signal.aborted ? "no whole reply came in time" : `the connection broke: ${codeOf(error)}`;
    return { kind: "lost", reason: `The request left, but ${reason}.` };
  } finally {
    socket.destroy();
  }
}

const unwritable: Exchange = {
  kind: "unsent",
  reason: "The route's address or credential cannot be written in a request.",
};

type Outgoing = {
  readonly url: URL;
  readonly call: Call;
  readonly going: Pick<ExchangeOptions, "credential" | "headers">;
  readonly socket: Socket;
  readonly signal: AbortSignal;
};

/** The request, not yet written; undefined if a header value is invalid. */
function prepared({ url, call, going: { credential, headers }, socket, signal }: Outgoing): ClientRequest | undefined {
  try {
    const outgoing = request({
      createConnection: () => socket,
      method: call.method,
      path: `${url.pathname}${url.search}`,
      headers: {
        Host: url.host,
        Connection: "close",
        Accept: call.contentType === fhirJson ? fhirJson : "application/json",
        "Accept-Encoding": "identity",
        ...headers,
        ...(call.body.byteLength === 0
          ? {}
          : { "Content-Type": call.contentType, "Content-Length": call.body.byteLength }),
        ...(credential === undefined ? {} : { Authorization: `Bearer ${credential}` }),
      },
      signal,
    });
    return outgoing.on("error", () => {});
  } catch {
    return undefined;
  }
}

async function conversed(
  outgoing: ClientRequest,
  content: Uint8Array,
  { onMoment, replyBytes = replyBytesMax, isHeadEnough }: ExchangeOptions,
): Promise<Exchange> {
  // One turn later, because the request gets its socket only in the next turn.
  outgoing.once("finish", () => setImmediate(() => onMoment?.("written")));
  outgoing.end(content.byteLength === 0 ? undefined : content);
  const reply = await replyTo(outgoing);
  onMoment?.("answering");
  if (isHeadEnough) return replyOf(reply, new Uint8Array());
  const body = decoded(reply);
  if (!body) return { kind: "lost", reason: "The reply is in a content encoding that is not understood." };
  const bytes = await limited(body, replyBytes);
  if (!bytes) return { kind: "lost", reason: `The reply is larger than ${replyBytes} bytes.` };
  return replyOf(reply, bytes);
}

function replyOf(reply: IncomingMessage, bytes: Uint8Array): Exchange {
  return {
    kind: "reply",
    status: reply.statusCode ?? 0,
    headers: reply.headers,
    contentType: (reply.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "",
    retryAfterMs: retryAfter(reply.headers["retry-after"]),
    bytes,
  };
}

/** The head of the reply. Rejects once there can be none: a reply that switches protocols closes without an error. */
function replyTo(outgoing: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let interim = 0;
  outgoing.on("information", () => {
    interim += 1;
    if (interim > interimMax) outgoing.destroy(Object.assign(new Error("no reply"), { code: "ETOOMANYINTERIM" }));
  });
  outgoing.once("response", resolve).once("error", reject);
  outgoing.once("close", () => reject(Object.assign(new Error("closed without a reply"), { code: "ECONNRESET" })));
  return promise;
}

function decoded(reply: IncomingMessage): Readable | undefined {
  const encoding = (reply.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity") return reply;
  if (!Object.hasOwn(decoders, encoding)) return undefined;
  // Safe because the line above checks the encoding. A failure reaches the reader through the decoder.
  return pipeline(reply, decoders[encoding as keyof typeof decoders](), () => {});
}

/** The bytes of a body, or undefined if there are too many. */
async function limited(body: Readable, bytesMax: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    // Safe because no encoding was set on the stream.
    const bytes = chunk as Uint8Array;
    size += bytes.byteLength;
    if (size > bytesMax) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), retryAfterMsMax);
}
