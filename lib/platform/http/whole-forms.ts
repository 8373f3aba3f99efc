import { IncomingMessage, type ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import { onBodyShed } from "./load-shedding.ts";
import { drainedBytesMax, formBytesMax, strangersFormBytesMax } from "./form-bytes.ts";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

/** Whose session a request says it comes from; undefined for a stranger. */
export type PersonOf = (incoming: IncomingMessage) => Promise<string | undefined>;

/**
 * Holds a request back until its body has arrived whole, so that nothing is drawn, counted or asked for one that was only
 * begun: a half-sent form costs its connection and what has arrived of it, which `watchOpenBodies` bounds. Only people who
 * are signed in have long ones kept for them; of anybody else's, and of what is too long for all, nothing is kept, and
 * `largeForms` says so. One that does not say how long it is, or says more than would be read, is passed on unread.
 */
export function wholeForms(listener: Listener, personOf: PersonOf): Listener {
  return async (incoming, outgoing) => {
    const { "content-length": length, "transfer-encoding": inChunks } = incoming.headers;
    const bytes = Number(length ?? 0);
    if (inChunks !== undefined || bytes === 0 || bytes > drainedBytesMax) return listener(incoming, outgoing);
    const isKept =
      bytes <= strangersFormBytesMax || (bytes <= formBytesMax && (await personOf(incoming)) !== undefined);
    const chunks = await read(incoming, isKept);
    if (chunks === "cut-short") return;
    return listener(isKept ? wholeRequest(incoming, chunks) : incoming, outgoing);
  };
}

async function read(incoming: IncomingMessage, isKept: boolean): Promise<readonly Buffer[] | "cut-short"> {
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => void (isKept && chunks.push(chunk)));
  onBodyShed(incoming, () => (chunks.length = 0));
  try {
    await finished(incoming, { writable: false });
    return chunks;
  } catch {
    return "cut-short";
  }
}

/** The same request, to be read anew by whoever reads forms; the one that came was read to its end. */
function wholeRequest(came: IncomingMessage, chunks: readonly Buffer[]): IncomingMessage {
  const whole = new IncomingMessage(came.socket);
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = came;
  Object.assign(whole, { method, url, rawHeaders, headers, httpVersion, httpVersionMajor, httpVersionMinor });
  whole.complete = true;
  for (const chunk of chunks) whole.push(chunk);
  whole.push(null);
  return whole;
}
