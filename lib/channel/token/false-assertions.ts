import { createRequestRate } from "#lib/platform/http/request-rate";

/** The false assertions that one address may send: this many a second, and this many seconds' worth at once. */
const perSecond = 5;
const burstS = 10;

/** How many clients with their addresses are remembered; the one unused for longest is dropped first. */
const provedMax = 10_000;

/** The sender of an assertion: an address, and the client it claims to be. */
export type AssertionSource = { readonly from: string; readonly clientId: string | undefined };

export type FalseAssertions = {
  /** Counts an assertion as false before it is checked. Returns 0, or the seconds to wait where there were too many. */
  readonly count: (source: AssertionSource, now: number) => number;
  /** Takes the count back, because the assertion was valid. */
  readonly forgive: (source: AssertionSource) => void;
};

/**
 * Limits the false assertions that are checked for one address, in this process. A client that proved itself from an
 * address before has its own count there, so that strangers at the same address do not stop it.
 */
export function countFalseAssertions(
  onRefused: (refused: { subject: string; count: number }) => void,
): FalseAssertions {
  const rate = createRequestRate({ perSecond, burstS, onRefused });
  const proved = new Set<string>();
  const nameOf = ({ from, clientId }: AssertionSource) => `${from} ${clientId}`;
  const subjectOf = (source: AssertionSource) => (proved.has(nameOf(source)) ? nameOf(source) : source.from);
  return {
    count: (source, now) => rate.take(subjectOf(source), 1, now),
    forgive: (source) => {
      rate.give(subjectOf(source), 1);
      proved.delete(nameOf(source));
      proved.add(nameOf(source));
      const [oldest] = proved;
      if (proved.size > provedMax && oldest !== undefined) proved.delete(oldest);
    },
  };
}
