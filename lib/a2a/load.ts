import { bodiesWithFilesMax, callsInFlightMax } from "./limits.ts";

/** How much this process carries, and how fast each channel may call. In memory: each process counts its own. */
export type Load = {
  readonly enter: (channelId: string, nowMs: number) => Entered;
  /** Room for one body over the plain limit, until it is given back; undefined when there is none. */
  readonly enterLong: () => (() => void) | undefined;
};

export type Entered =
  { readonly leave: () => void } | { readonly full: "rate-exceeded" | "busy"; readonly retryAfterS: number };

export type LoadOptions = {
  /** Tokens a second and at most at once for each channel; without it a channel may call as fast as it can. */
  readonly perChannel?: { readonly callsPerSecond: number; readonly burst: number } | undefined;
  readonly inFlightMax?: number | undefined;
};

type Bucket = { tokens: number; at: number };

/** A token bucket for each channel, and one count of calls in flight for all. */
export function createLoad({ perChannel, inFlightMax = callsInFlightMax }: LoadOptions = {}): Load {
  const buckets = new Map<string, Bucket>();
  let inFlight = 0;
  let long = 0;

  /** Takes a token; gives how long until there is one where there is none. */
  function waitS(channelId: string, nowMs: number): number {
    if (!perChannel) return 0;
    const { callsPerSecond, burst } = perChannel;
    const bucket = buckets.get(channelId) ?? { tokens: burst, at: nowMs };
    bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.at) / 1000) * callsPerSecond);
    bucket.at = nowMs;
    buckets.set(channelId, bucket);
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / callsPerSecond));
    bucket.tokens -= 1;
    return 0;
  }

  return {
    enter: (channelId, nowMs) => {
      const retryAfterS = waitS(channelId, nowMs);
      if (retryAfterS > 0) return { full: "rate-exceeded", retryAfterS };
      if (inFlight >= inFlightMax) return { full: "busy", retryAfterS: 1 };
      inFlight += 1;
      return { leave: () => void (inFlight -= 1) };
    },
    enterLong: () => {
      if (long >= bodiesWithFilesMax) return undefined;
      long += 1;
      return () => void (long -= 1);
    },
  };
}
