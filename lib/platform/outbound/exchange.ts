import { once } from "node:events";
import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { codeOf } from "./code-of.ts";
import { openSocket, type Reach } from "./open-socket.ts";

/** One request as it will leave. */
export type Call = {
  readonly method: string;
  readonly url: string;
  readonly contentType: string;
  readonly body: Uint8Array;
};

/** `written`: the whole request was handed to the operating system; `answering`: the head of the reply has come. */
export type SendingMoment = "connected" | "written" | "answering";

/** How one request goes; `signal` aborts the whole exchange, reply included. */
export type ExchangeOptions = Reach & {
  /** Sent as a bearer. */
  readonly credential?: string | undefined;
  /** By `performance.now()`: past this, nothing of the request is written any more, however long this process slept. */
  readonly notAfter?: number | undefined;
  /** Told each moment of sending as it is reached. */
  readonly onMoment?: ((moment: SendingMoment) => void) | undefined;
  /** The largest reply that is read, counted after decompression. */
  readonly replyBytes?: number | undefined;
};

/** What became of one request. Only `unsent` is certain that no byte of it left. */
export type Exchange =
  | {
      readonly kind: "unsent";
      readonly reason: string;
      /** The address itself is not reached out to, whoever is there. */
      readonly refused?: true | undefined;
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

/** The whole exchange, connecting and reply included: 60 s. */
const deadlineMs = 60_000;

/** The largest reply that is read, counted after decompression: 5 MB. */
export const replyBytesMax = 5_000_000;

/** The longest a payer's Retry-After is believed: one day. */
const retryAfterMsMax = 24 * 60 * 60 * 1000;

const decoders = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

/**
 * Sends exactly one call over a connection of its own and reads its reply.
 * Adds nothing but Authorization, and follows no redirect. The request is
 * written only once the connection stands (for https: once the certificate was
 * accepted), so that a failure before that is certainly `unsent`. Reasons name
 * error codes, never contents.
 */
export async function exchange(call: Call, going: ExchangeOptions): Promise<Exchange> {
  if (!URL.canParse(call.url)) return { kind: "unsent", reason: "The route's address is not a URL." };
  const url = new URL(call.url);
  const signal = AbortSignal.any([going.signal, AbortSignal.timeout(deadlineMs)]);
  const opened = await openSocket(url, { ...going, signal });
  if (!opened.ok) return { kind: "unsent", reason: opened.reason, ...(opened.refused ? { refused: true } : {}) };
  const { socket } = opened;
  going.onMoment?.("connected");
  if (signal.aborted || performance.now() > (going.notAfter ?? Infinity)) {
    socket.destroy();
    return { kind: "unsent", reason: "The time for sending was over before the connection stood." };
  }
  try {
    const outgoing = prepared({ url, call, credential: going.credential, socket, signal });
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
  readonly credential: string | undefined;
  readonly socket: Socket;
  readonly signal: AbortSignal;
};

/** The request's head, of which nothing is written yet; undefined where a header cannot hold what it was given. */
function prepared({ url, call, credential, socket, signal }: Outgoing): ClientRequest | undefined {
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
  { onMoment, replyBytes = replyBytesMax }: ExchangeOptions,
): Promise<Exchange> {
  // The turn after, because the socket is only given to the request in the next one.
  outgoing.once("finish", () => setImmediate(() => onMoment?.("written")));
  outgoing.end(content.byteLength === 0 ? undefined : content);
  // Safe because "response" carries exactly the incoming message.
  const [reply] = (await once(outgoing, "response")) as [IncomingMessage];
  onMoment?.("answering");
  const body = decoded(reply);
  if (!body) return { kind: "lost", reason: "The reply is in a content encoding that is not understood." };
  const bytes = await limited(body, replyBytes);
  if (!bytes) return { kind: "lost", reason: `The reply is larger than ${replyBytes} bytes.` };
  return {
    kind: "reply",
    status: reply.statusCode ?? 0,
    headers: reply.headers,
    contentType: (reply.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "",
    retryAfterMs: retryAfter(reply.headers["retry-after"]),
    bytes,
  };
}

function decoded(reply: IncomingMessage): Readable | undefined {
  const encoding = (reply.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity") return reply;
  if (!Object.hasOwn(decoders, encoding)) return undefined;
  // Safe because the line above knows the encoding; a failure reaches the reader through the decoder.
  return pipeline(reply, decoders[encoding as keyof typeof decoders](), () => {});
}

/** The bytes of a body, or undefined as soon as there are too many. */
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
