import type { IncomingMessage } from "node:http";
import { arrivalAddress } from "./arrival-headers.ts";
import { clientAddress } from "./client-address.ts";
import { onBodyShed } from "./load-shedding.ts";

/** Longest plain body of a call to an endpoint, in bytes. */
export const bodyBytesMax = 1_048_576;

/** How long a plain body may take to arrive whole, from when reading it begins. */
export const bodyMs = 10_000;

/** What one HTTP request brings, before anything of it is believed. */
export type Arrival = {
  readonly method: string;
  /** Where the connection comes from; unknown on a host that does not say. */
  readonly address?: string | undefined;
  readonly header: (name: HeaderName) => string | undefined;
  /** Reads the body once, up to its limit and deadline. */
  readonly readBody: (reading: Reading) => Promise<Body>;
  /** Calls once the caller is gone and waits for no answer any more, unless the returned function is called first. */
  readonly onGone?: OnGone | undefined;
};

export type OnGone = (leave: () => void) => () => void;

export type Reading = {
  readonly bytesMax: number;
  /** How a longer body is read; without this it is too large. */
  readonly longer?: LongReading | undefined;
};

export type LongReading = {
  readonly bytesMax: number;
  /** How long the rest may take to arrive, from when the body is admitted. */
  readonly ms: number;
  readonly admit: AdmitLong;
  /** Gets every part of the body from its first byte; true ends the reading. */
  readonly isTooMuch: (part: Uint8Array) => boolean;
};

export type HeaderName = "authorization" | "traceparent" | "content-type" | "content-length" | "content-encoding";

export type Body = Uint8Array | "too-large" | "too-plain" | "too-slow" | "cut-short" | "busy";

/** Called once, when a body passes its plain limit: why it is not read further, or undefined. */
export type AdmitLong = () => Promise<"too-large" | "busy" | undefined>;

/** Reads Node's own stream, which costs a fifth of a web stream over it. */
export function arrivalOfNode(incoming: IncomingMessage): Arrival {
  return {
    method: incoming.method ?? "",
    address: clientAddress(incoming),
    header: (name) => {
      const value = incoming.headers[name];
      // A header that came twice is a list; which of its values counts is unknown, so none does.
      return typeof value === "string" ? value : undefined;
    },
    readBody: (reading) => readIncoming(incoming, reading),
    onGone: (leave) => onClosed(incoming, leave),
  };
}

export function arrivalOfRequest(request: Request): Arrival {
  return {
    method: request.method,
    address: arrivalAddress(request.headers),
    header: (name) => request.headers.get(name) ?? undefined,
    readBody: (reading) => readStream(request.body, reading),
    onGone: (leave) => onAborted(request, leave),
  };
}

function onClosed({ socket }: IncomingMessage, leave: () => void): () => void {
  if (socket.destroyed) leave();
  else socket.once("close", leave);
  return () => socket.off("close", leave);
}

function onAborted({ signal }: Request, leave: () => void): () => void {
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave);
  return () => signal.removeEventListener("abort", leave);
}

function readIncoming(incoming: IncomingMessage, { bytesMax, longer }: Reading): Promise<Body> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let stage: "plain" | "asking" | "long" | "let-go" | "settled" = "plain";
    let hasEnded = false;
    let deadline: NodeJS.Timeout | undefined;
    const letGo = (): void => {
      stage = "settled";
      clearTimeout(deadline);
      incoming.off("data", take).off("end", whole).off("error", broken).off("close", broken);
    };
    const settle = (body: Body): void => {
      letGo();
      if (typeof body === "string") incoming.pause();
      resolve(body);
    };
    const endAfter = (ms: number): void => void (deadline = setTimeout(() => settle("too-slow"), ms));
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= bytesMax) return;
      if (!longer || bytes > longer.bytesMax) return settle("too-large");
      if (stage === "plain") readOn(longer).catch((error: unknown) => (letGo(), reject(error)));
      else if (stage === "long" && longer.isTooMuch(chunk)) settle("too-plain");
    };
    const readOn = async ({ admit, isTooMuch, ms }: LongReading): Promise<void> => {
      stage = "asking";
      incoming.pause();
      clearTimeout(deadline);
      const refused = await admit();
      // Meanwhile it may have been cut short.
      if (stage !== "asking") return;
      if (refused) return settle(refused);
      if (chunks.some(isTooMuch)) return settle("too-plain");
      stage = "long";
      if (hasEnded) return whole();
      endAfter(ms);
      incoming.resume();
    };
    const whole = (): void => {
      hasEnded = true;
      if (stage !== "asking" && stage !== "let-go")
        settle(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    };
    const broken = (): void => {
      if (!hasEnded) settle("cut-short");
    };
    incoming.on("data", take).on("end", whole).on("error", broken).on("close", broken);
    onBodyShed(incoming, () => {
      stage = "let-go";
      chunks.length = 0;
    });
    endAfter(bodyMs);
    if (incoming.destroyed) broken();
  });
}

async function readStream(stream: ReadableStream<Uint8Array> | null, { bytesMax, longer }: Reading): Promise<Body> {
  const chunks: Uint8Array[] = [];
  if (!stream) return new Uint8Array();
  const reader = stream.getReader();
  const late = Promise.withResolvers<"too-slow">();
  let isLong = false;
  let deadline = setTimeout(() => late.resolve("too-slow"), bodyMs);
  try {
    for (let bytes = 0; bytes <= (longer?.bytesMax ?? bytesMax);) {
      const read = await Promise.race([reader.read().catch(() => "cut-short" as const), late.promise]);
      if (typeof read === "string") return read;
      if (read.done) return Buffer.concat(chunks);
      bytes += read.value.length;
      chunks.push(read.value);
      if (bytes <= bytesMax) continue;
      if (!longer) return "too-large";
      if (isLong && longer.isTooMuch(read.value)) return "too-plain";
      if (isLong) continue;
      isLong = true;
      clearTimeout(deadline);
      const refused = await longer.admit();
      if (refused) return refused;
      if (chunks.some(longer.isTooMuch)) return "too-plain";
      deadline = setTimeout(() => late.resolve("too-slow"), longer.ms);
    }
    return "too-large";
  } finally {
    clearTimeout(deadline);
    void reader.cancel().catch(() => undefined);
  }
}
