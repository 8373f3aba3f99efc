import { z } from "zod";
import { payerReasons } from "#lib/messages/reasons/payer";
import type { Call, Transport } from "./connector.ts";
import { exchange, hostOutcome, type Exchange, type HostOutcome } from "#lib/platform/outbound/exchange";
import type { ClientCertificate } from "#lib/platform/outbound/open-socket";

/** A token, or why there is none; in that case nothing was submitted. */
export type Token =
  | { readonly ok: true; readonly value: string }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly retryAfterMs?: number | undefined;
      /** What the token endpoint says of the payer's host, if it was asked. */
      readonly outcome?: HostOutcome | undefined;
    };

/** A token from its issuer; without a lifetime it is used once. */
export type FetchedToken =
  | { readonly ok: true; readonly value: string; readonly expiresInMs?: number | undefined }
  | Extract<Token, { ok: false }>;

/** The source of a route's token. `key` identifies it, including the credential, and never leaves this process. */
export type TokenSource = {
  readonly key: string;
  readonly fetch: (signal: AbortSignal) => Promise<FetchedToken>;
};

export type Tokens = {
  /** The token of this source; `refused` is a token that the payer has just refused and that is not returned again. */
  readonly take: (source: TokenSource, signal: AbortSignal, refused?: string) => Promise<Token>;
};

/** A token is not used in the last 30 s of its lifetime, or in the last fifth of a shorter one. */
const marginMs = 30_000;

/** The longest that a token endpoint may take. */
const fetchMs = 20_000;

type CachedToken = { readonly value: string; readonly until: number };

/**
 * Caches tokens by source, in memory only. Callers at the same time share one fetch, which has a deadline of its own, so that
 * the deadline of one caller does not fail another.
 */
export function createTokens(now: () => number = Date.now): Tokens {
  const kept = new Map<string, CachedToken>();
  const underway = new Map<string, Promise<Token>>();

  const fetchOne = async ({ key, fetch }: TokenSource): Promise<Token> => {
    const fetched = await fetch(AbortSignal.timeout(fetchMs));
    kept.delete(key);
    if (!fetched.ok) return fetched;
    const { value, expiresInMs = 0 } = fetched;
    kept.set(key, { value, until: now() + expiresInMs - Math.min(marginMs, expiresInMs / 5) });
    for (const [other, { until }] of kept) if (until <= now()) kept.delete(other);
    return { ok: true, value };
  };

  const fetchShared = (source: TokenSource): Promise<Token> => {
    const begun = underway.get(source.key);
    if (begun) return begun;
    const fetching = fetchOne(source).finally(() => underway.delete(source.key));
    underway.set(source.key, fetching);
    return fetching;
  };

  return {
    take: async (source, signal, refused) => {
      const known = kept.get(source.key);
      if (known && known.until > now() && known.value !== refused) return { ok: true, value: known.value };
      return withinTime(signal, fetchShared(source));
    },
  };
}

/** The token, unless the deadline of the caller comes first. */
async function withinTime(signal: AbortSignal, token: Promise<Token>): Promise<Token> {
  const reason = payerReasons.tokenTooLate;
  const late: Token = { ok: false, reason, outcome: { type: "unreachable", reason } };
  if (signal.aborted) return late;
  const over = Promise.withResolvers<Token>();
  const stop = () => over.resolve(late);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([token, over.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/**
 * Sends one call with a token of this source. A payer that answers 401 has not processed the call, so it is sent once more
 * with a new token.
 */
export async function exchangeWithToken(
  call: Call,
  transport: Omit<Transport, "credential"> & { readonly certificate?: ClientCertificate | undefined },
  { tokens, source }: { readonly tokens: Tokens; readonly source: TokenSource },
): Promise<Exchange> {
  const { signal } = transport;
  const first = await tokens.take(source, signal);
  if (!first.ok) return unsent(first, transport);
  const reply = await exchange(call, { ...transport, credential: first.value });
  if (reply.kind !== "reply" || reply.status !== 401) return reply;
  const second = await tokens.take(source, signal, first.value);
  return second.ok ? exchange(call, { ...transport, credential: second.value }) : unsent(second, transport);
}

function unsent(
  { reason, retryAfterMs, outcome }: Extract<Token, { ok: false }>,
  { onOutcome }: Pick<Transport, "onOutcome">,
): Exchange {
  if (outcome) onOutcome?.(outcome);
  return { kind: "unsent", reason, host: outcome, retryAfterMs };
}

const grantSchema = z.object({
  access_token: z
    .string()
    .min(1)
    .max(16_000)
    .regex(/^[\x21-\x7e]+$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number().positive().optional(),
});

export type TokenRequest = {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
  /** The client's id and secret, where the endpoint takes them in the header (RFC 6749, 2.3.1). */
  readonly basic?: readonly [id: string, secret: string] | undefined;
  readonly certificate?: ClientCertificate | undefined;
};

/**
 * Requests a token from a token endpoint (RFC 6749, 4.4 and 5.1). `form` is sent unchanged. Any reply but a bearer token is a
 * refusal that names only the status.
 */
export async function requestToken(
  { url, form, basic, certificate }: TokenRequest,
  signal: AbortSignal,
): Promise<FetchedToken> {
  const body = Buffer.from(new URLSearchParams(form).toString(), "utf8");
  const call = { method: "POST", url, contentType: "application/x-www-form-urlencoded", body };
  const headers = basic && { Authorization: basicHeader(basic) };
  const reply = await exchange(call, { signal, headers, certificate });
  const outcome = hostOutcome(reply);
  if (reply.kind !== "reply") return { ok: false, reason: payerReasons.noToken(reply.reason), outcome };
  const grant = reply.status === 200 ? grantSchema.safeParse(jsonOf(reply.bytes)) : undefined;
  if (!grant?.success) {
    const reason = payerReasons.noTokenStatus(reply.status);
    return { ok: false, reason, retryAfterMs: reply.retryAfterMs, outcome };
  }
  const { access_token: value, expires_in: seconds } = grant.data;
  return { ok: true, value, expiresInMs: seconds === undefined ? undefined : seconds * 1000 };
}

/** Each part is form-encoded first, so that a colon within one is none between them. */
function basicHeader(parts: readonly [string, string]): string {
  const encoded = parts.map((part) => new URLSearchParams({ part }).toString().slice("part=".length));
  return `Basic ${Buffer.from(encoded.join(":"), "utf8").toString("base64")}`;
}

/** The JSON of a reply, or undefined if it is not JSON. */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
