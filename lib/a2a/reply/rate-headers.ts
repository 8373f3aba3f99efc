import type { CallLimits } from "#lib/channel/store/admission";
import type { CallError } from "./faults.ts";

type Headers = Readonly<Record<string, string>>;

/** One of each rate, since every call of a channel carries the same. */
const policies = new Map<number, Headers>();

/**
 * What a channel may ask in a second, and on a refusal for its rate that nothing is left and for how long: the fields of
 * draft-ietf-httpapi-ratelimit-headers-11. A refusal for another limit says nothing of the rate. How much is left of a second is told only then, for other processes take from
 * the same allowance. Nothing for a channel without a rate, and nothing on the uniform denial.
 */
export function rateHeaders(limits: CallLimits | undefined, refused: CallError | undefined): Headers | undefined {
  const perSecond = limits?.callsPerSecond;
  if (perSecond === undefined || refused?.fault === "not-authorised" || refused?.fault === "no-credential") {
    return undefined;
  }
  if (!refused?.isRate) return policyOf(perSecond);
  return { ...policyOf(perSecond), ratelimit: `"calls";r=0;t=${refused.retryAfterS ?? 1}` };
}

function policyOf(perSecond: number): Headers {
  let policy = policies.get(perSecond);
  if (!policy) policies.set(perSecond, (policy = { "ratelimit-policy": `"calls";q=${perSecond};w=1` }));
  return policy;
}
