import { exchange } from "#lib/platform/outbound/exchange";
import { channelProblems } from "#lib/messages/problems/admin";
import { readClientKeys, type ClientKeys } from "./client-keys.ts";

/** The keys at a client's address, and how long they may be cached. */
export type FetchedKeys =
  | { readonly ok: true; readonly keys: ClientKeys; readonly keptMs: number }
  /** The end of a sentence that begins with "the address". */
  | { readonly ok: false; readonly problem: string };

const fetchMs = 5_000;
const bytesMax = 64_000;
const keptMinMs = 60_000;
const keptMaxMs = 60 * 60_000;

/**
 * Fetches a JWK set by the service's one outbound path: the address is checked at the connection, redirects are not
 * followed, and the scheme is https unless the address is on this machine. Keys that cannot sign assertions are
 * skipped. The set may be cached as long as Cache-Control says, from a minute to an hour.
 */
export async function fetchClientKeys(url: string): Promise<FetchedKeys> {
  const call = { method: "GET", url, contentType: "application/json", body: new Uint8Array() };
  const response = await exchange(call, { signal: AbortSignal.timeout(fetchMs), replyBytes: bytesMax });
  if (response.kind !== "reply") return { ok: false, problem: channelProblems.noKeys(reasonText(response.reason)) };
  if (response.status !== 200) return { ok: false, problem: channelProblems.noKeysStatus(response.status) };
  const read = readClientKeys(Buffer.from(response.bytes).toString("utf8"), { others: "skipped" });
  if ("problem" in read) return { ok: false, problem: channelProblems.badJwkSet(read.problem) };
  return { ok: true, keys: read.keys, keptMs: keptMsOf(response.headers["cache-control"]) };
}

/** Why nothing came, as the end of a sentence. The reasons of our calls name the payer, because most go to one. */
function reasonText(reason: string): string {
  return reason.replace(/^The payer /, "it ").replace(/\.$/, "");
}

function keptMsOf(cacheControl = ""): number {
  const seconds = /(?:^|[\s,])no-(?:store|cache)\b/i.test(cacheControl)
    ? 0
    : Number(/(?:^|[\s,])max-age="?(\d{1,9})/i.exec(cacheControl)?.[1] ?? 0);
  return Math.min(Math.max(seconds * 1_000, keptMinMs), keptMaxMs);
}
