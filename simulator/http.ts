import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** One request as a face sees it. `body` is undefined where it was over the limit. */
export type Call = {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array | undefined;
};

export type Reply = {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The largest request the payer takes: 20 MB. */
const requestBytesMax = 20_000_000;

/** The whole body, or undefined where it is over the limit. */
export async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
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

/** The body as JSON in strict UTF-8; undefined where it is none. */
export function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

export function json(status: number, body: unknown): Reply {
  return { status, type: "application/json", body: JSON.stringify(body) };
}
