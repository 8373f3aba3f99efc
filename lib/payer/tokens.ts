import { z } from "zod";
import type { Call, Transport } from "./connector.ts";
import { exchange, type Exchange } from "#lib/platform/outbound/exchange";

/** A token, or why there is none; nothing was sent on the strength of it. */
export type Token =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly reason: string; readonly retryAfterMs?: number | undefined };

/** A token as its issuer gave it; without a lifetime it is used once. */
export type FetchedToken =
  | { readonly ok: true; readonly value: string; readonly expiresInMs?: number | undefined }
  | Extract<Token, { ok: false }>;

/** Where one route's token comes from; `key` names it, credential included, and never leaves this process. */
export type TokenSource = {
  readonly key: string;
  readonly fetch: (signal: AbortSignal) => Promise<FetchedToken>;
};

export type Tokens = {
  /** The token of this source; `refused` is one the payer has just refused, which is not given again. */
  readonly take: (source: TokenSource, signal: AbortSignal, refused?: string) => Promise<Token>;
};

/** A token is not begun to be used in its last 30 s, or last fifth where it lives shorter than that. */
const marginMs = 30_000;

/** The longest a token endpoint may take: 20 s. */
const fetchMs = 20_000;

type Kept = { readonly value: string; readonly until: number };

/**
 * Tokens by source, in memory only. However many ask at once, one is fetched,
 * on time of its own, so that nobody's deadline fails another's request.
 */
export function createTokens(now: () => number = Date.now): Tokens {
  const kept = new Map<string, Kept>();
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
      return before(signal, fetchShared(source));
    },
  };
}

/** The token, unless the asker's own time is over first. */
async function before(signal: AbortSignal, token: Promise<Token>): Promise<Token> {
  const late: Token = { ok: false, reason: "The time for sending was over before the payer gave a token." };
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
 * Sends one call with a token of this source. A payer that answers 401 has not
 * begun: it gets the same call once more with a fresh token.
 */
export async function exchangeWithToken(
  call: Call,
  transport: Omit<Transport, "credential">,
  { tokens, source }: { readonly tokens: Tokens; readonly source: TokenSource },
): Promise<Exchange> {
  const { signal } = transport;
  const first = await tokens.take(source, signal);
  if (!first.ok) return unsent(first);
  const heard = await exchange(call, { ...transport, credential: first.value });
  if (heard.kind !== "reply" || heard.status !== 401) return heard;
  const second = await tokens.take(source, signal, first.value);
  return second.ok ? exchange(call, { ...transport, credential: second.value }) : unsent(second);
}

function unsent({ reason, retryAfterMs }: Extract<Token, { ok: false }>): Exchange {
  return { kind: "unsent", reason, retryAfterMs };
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

/**
 * Asks a token endpoint for a token (RFC 6749, 4.4 and 5.1). `form` is sent
 * as it stands; whatever comes back but a bearer token is a refusal that names
 * the status and nothing else.
 */
export async function requestToken(
  { url, form }: { readonly url: string; readonly form: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<FetchedToken> {
  const body = Buffer.from(new URLSearchParams(form).toString(), "utf8");
  const call = { method: "POST", url, contentType: "application/x-www-form-urlencoded", body };
  const heard = await exchange(call, { signal });
  if (heard.kind !== "reply") return { ok: false, reason: `No token from the payer: ${heard.reason}` };
  const grant = heard.status === 200 ? grantSchema.safeParse(jsonOf(heard.bytes)) : undefined;
  if (!grant?.success) {
    const reason = `The payer's token endpoint gave no token (HTTP ${heard.status}).`;
    return { ok: false, reason, retryAfterMs: heard.retryAfterMs };
  }
  const { access_token: value, expires_in: seconds } = grant.data;
  return { ok: true, value, expiresInMs: seconds === undefined ? undefined : seconds * 1000 };
}

/** A reply's JSON, or undefined where it is none. */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
