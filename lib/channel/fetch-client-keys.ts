import { exchange } from "#lib/platform/outbound/exchange";
import { readClientKeys, type ClientKeys } from "./client-keys.ts";

/** A client's keys as its address gives them, and how long they may be kept. */
export type FetchedKeys =
  | { readonly ok: true; readonly keys: ClientKeys; readonly keptMs: number }
  /** Completes "the address …". */
  | { readonly ok: false; readonly problem: string };

const fetchMs = 5_000;
const bytesMax = 64_000;
const keptMinMs = 60_000;
const keptMaxMs = 60 * 60_000;

/**
 * Fetches a JWK set by the one way out: judged at the connect, no redirect,
 * over https or on this machine. What is there besides keys that may sign
 * assertions is left aside. It is kept as long as Cache-Control says, from a
 * minute to an hour.
 */
export async function fetchClientKeys(url: string): Promise<FetchedKeys> {
  const call = { method: "GET", url, contentType: "application/json", body: new Uint8Array() };
  const heard = await exchange(call, { signal: AbortSignal.timeout(fetchMs), replyBytes: bytesMax });
  if (heard.kind !== "reply") return { ok: false, problem: `gave no keys: ${heard.reason}` };
  if (heard.status !== 200) return { ok: false, problem: `gave no keys (HTTP ${heard.status})` };
  const read = readClientKeys(Buffer.from(heard.bytes).toString("utf8"), { others: "left-aside" });
  if ("problem" in read) return { ok: false, problem: `gave a JWK set that ${read.problem}` };
  return { ok: true, keys: read.keys, keptMs: keptMsOf(heard.headers["cache-control"]) };
}

function keptMsOf(cacheControl = ""): number {
  const seconds = /(?:^|[\s,])no-(?:store|cache)\b/i.test(cacheControl)
    ? 0
    : Number(/(?:^|[\s,])max-age="?(\d{1,9})/i.exec(cacheControl)?.[1] ?? 0);
  return Math.min(Math.max(seconds * 1_000, keptMinMs), keptMaxMs);
}
