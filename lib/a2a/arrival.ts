import type { IncomingMessage } from "node:http";
import { clientAddress } from "./client-address.ts";
import { bodyBytesMax, bodyMs, bodyWithFilesBytesMax, bodyWithFilesMs } from "./limits.ts";

/** What one HTTP request brings, before anything of it is believed. */
export type Arrival = {
  readonly method: string;
  /** Where the connection comes from; unknown on a host that does not say. */
  readonly address?: string | undefined;
  readonly header: (name: HeaderName) => string | undefined;
  /** Reads the body once, up to its limit and deadline. What is longer than the plain limit is read on if `mayBeLong`. */
  readonly readBody: (mayBeLong: MayBeLong) => Promise<Body>;
};

export type HeaderName = "authorization" | "content-type" | "content-length" | "content-encoding";

export type Body = Uint8Array | "too-large" | "too-slow" | "cut-short" | "busy";

/** Asked once, when a body turns out to be over the plain limit: why it is not read on, or undefined. */
export type MayBeLong = () => Promise<"too-large" | "busy" | undefined>;

/** Reads Node's own stream, which costs a fifth of a web stream over it. */
export function arrivalOfNode(incoming: IncomingMessage): Arrival {
  return {
    method: incoming.method ?? "",
    address: clientAddress(incoming),
    header: (name) => incoming.headers[name],
    readBody: (mayBeLong) => readIncoming(incoming, mayBeLong),
  };
}

export function arrivalOfRequest(request: Request): Arrival {
  return {
    method: request.method,
    header: (name) => request.headers.get(name) ?? undefined,
    readBody: (mayBeLong) => readStream(request.body, mayBeLong),
  };
}

function readIncoming(incoming: IncomingMessage, mayBeLong: MayBeLong): Promise<Body> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const began = performance.now();
    let bytes = 0;
    let bytesMax = bodyBytesMax;
    let deadline: NodeJS.Timeout | undefined;
    const letGo = (): void => {
      clearTimeout(deadline);
      deadline = undefined;
      incoming.off("data", take).off("end", whole).off("error", broken).off("close", broken);
    };
    const settle = (body: Body): void => {
      letGo();
      if (typeof body === "string") incoming.pause();
      resolve(body);
    };
    const endAfter = (ms: number): void => {
      clearTimeout(deadline);
      deadline = setTimeout(() => settle("too-slow"), ms - (performance.now() - began));
    };
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > bodyWithFilesBytesMax) return settle("too-large");
      if (bytes > bytesMax) readOn().catch((error: unknown) => (letGo(), reject(error)));
    };
    const readOn = async (): Promise<void> => {
      bytesMax = bodyWithFilesBytesMax;
      incoming.pause();
      const refused = await mayBeLong();
      // Meanwhile it may have ended one way or the other.
      if (deadline === undefined) return;
      if (refused) return settle(refused);
      endAfter(bodyWithFilesMs);
      incoming.resume();
    };
    const whole = (): void => settle(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    const broken = (): void => settle("cut-short");
    incoming.on("data", take).on("end", whole).on("error", broken).on("close", broken);
    endAfter(bodyMs);
    if (incoming.destroyed) broken();
  });
}

async function readStream(stream: ReadableStream<Uint8Array> | null, mayBeLong: MayBeLong): Promise<Body> {
  const chunks: Uint8Array[] = [];
  if (!stream) return new Uint8Array();
  const reader = stream.getReader();
  const late = Promise.withResolvers<"too-slow">();
  const began = performance.now();
  let bytesMax = bodyBytesMax;
  let deadline = setTimeout(() => late.resolve("too-slow"), bodyMs);
  try {
    for (let bytes = 0; bytes <= bodyWithFilesBytesMax;) {
      const read = await Promise.race([reader.read().catch(() => "cut-short" as const), late.promise]);
      if (typeof read === "string") return read;
      if (read.done) return Buffer.concat(chunks);
      bytes += read.value.length;
      chunks.push(read.value);
      if (bytes <= bytesMax) continue;
      bytesMax = bodyWithFilesBytesMax;
      const refused = await mayBeLong();
      if (refused) return refused;
      clearTimeout(deadline);
      deadline = setTimeout(() => late.resolve("too-slow"), bodyWithFilesMs - (performance.now() - began));
    }
    return "too-large";
  } finally {
    clearTimeout(deadline);
    void reader.cancel().catch(() => undefined);
  }
}
