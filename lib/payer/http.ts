import { once } from "node:events";
import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { connect, isIP, type Socket } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { connect as connectSecurely } from "node:tls";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Call, Transport } from "./connector.ts";

/** What became of one request. Only `unsent` is certain that no byte of it left. */
export type Exchange =
  | { readonly kind: "unsent"; readonly reason: string; readonly retryAfterMs?: number | undefined }
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
export async function exchange(call: Call, transport: Transport): Promise<Exchange> {
  if (!URL.canParse(call.url)) return { kind: "unsent", reason: "The route's address is not a URL." };
  const url = new URL(call.url);
  const secure = url.protocol === "https:";
  if (!isPrivate(url))
    return { kind: "unsent", reason: "Only https leaves this machine, and the route's address is something else." };
  const signal = AbortSignal.any([transport.signal, AbortSignal.timeout(deadlineMs)]);
  const socket = await opened(url, secure, signal);
  if (!socket.ok) return { kind: "unsent", reason: `The payer could not be reached (${socket.code}).` };
  transport.onMoment?.("connected");
  if (signal.aborted || performance.now() > (transport.notAfter ?? Infinity)) {
    socket.value.destroy();
    return { kind: "unsent", reason: "The time for sending was over before the connection stood." };
  }
  try {
    const outgoing = prepared({ url, call, credential: transport.credential, socket: socket.value, signal });
    return outgoing ? await conversed(outgoing, call.body, transport) : unwritable;
  } catch (error) {
    const reason = signal.aborted ? "no whole reply came in time" : `the connection broke: ${codeOf(error)}`;
    return { kind: "lost", reason: `The request left, but ${reason}.` };
  } finally {
    socket.value.destroy();
  }
}

/** Whether what goes there is encrypted or stays on this machine: member data and credentials go nowhere else. */
export function isPrivate({ protocol, hostname }: URL): boolean {
  const loopback = hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && loopback);
}

const unwritable: Exchange = {
  kind: "unsent",
  reason: "The route's address or credential cannot be written in a request.",
};

type Opened = { readonly ok: true; readonly value: Socket } | { readonly ok: false; readonly code: string };

async function opened(url: URL, secure: boolean, signal: AbortSignal): Promise<Opened> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port || (secure ? 443 : 80));
  const name = isIP(host) ? {} : { servername: host };
  const socket = secure
    ? connectSecurely({ host, port, ALPNProtocols: ["http/1.1"], ...name })
    : connect({ host, port });
  // Every failure is met where it matters; none may end the process.
  socket.on("error", () => {});
  try {
    await once(socket, secure ? "secureConnect" : "connect", { signal });
    return { ok: true, value: socket };
  } catch (error) {
    socket.destroy();
    return { ok: false, code: signal.aborted ? "timed out" : codeOf(error) };
  }
}

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
  { onMoment }: Pick<Transport, "onMoment">,
): Promise<Exchange> {
  // The turn after, because the socket is only given to the request in the next one.
  outgoing.once("finish", () => setImmediate(() => onMoment?.("written")));
  outgoing.end(content.byteLength === 0 ? undefined : content);
  // Safe because "response" carries exactly the incoming message.
  const [reply] = (await once(outgoing, "response")) as [IncomingMessage];
  onMoment?.("answering");
  const body = decoded(reply);
  if (!body) return { kind: "lost", reason: "The reply is in a content encoding that is not understood." };
  const bytes = await limited(body);
  if (!bytes) return { kind: "lost", reason: `The reply is larger than ${replyBytesMax} bytes.` };
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
async function limited(body: Readable): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    // Safe because no encoding was set on the stream.
    const bytes = chunk as Uint8Array;
    size += bytes.byteLength;
    if (size > replyBytesMax) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), retryAfterMsMax);
}

/** A system or TLS error's own code, such as ECONNREFUSED; never its message. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code) ? code : "no code";
}
