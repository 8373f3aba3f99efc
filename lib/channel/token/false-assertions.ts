import { createRequestRate } from "#lib/platform/http/request-rate";

/** Of one address: so many false assertions a second, and so many seconds' worth at once. */
const perSecond = 5;
const burstS = 10;

/** Clients remembered with the address they proved themselves from; who was here longest ago is forgotten. */
const provedMax = 10_000;

/** Who brings an assertion: an address, and the client it is said to be of. */
export type AssertionSource = { readonly from: string; readonly clientId: string | undefined };

export type FalseAssertions = {
  /** Counts one as false before it is looked at: 0, or after how many seconds to come again where there were too many. */
  readonly count: (bringer: AssertionSource, now: number) => number;
  /** It was not false. */
  readonly forgive: (bringer: AssertionSource) => void;
};

/**
 * Bounds how many false assertions of one address are looked at, in this process. A client that proved itself from an
 * address before is counted there by itself, so that it goes on beside strangers who share the address.
 */
export function countFalseAssertions(
  onRefused: (refused: { subject: string; count: number }) => void,
): FalseAssertions {
  const rate = createRequestRate({ perSecond, burstS, onRefused });
  const proved = new Set<string>();
  const nameOf = ({ from, clientId }: AssertionSource) => `${from} ${clientId}`;
  const subjectOf = (bringer: AssertionSource) => (proved.has(nameOf(bringer)) ? nameOf(bringer) : bringer.from);
  return {
    count: (bringer, now) => rate.take(subjectOf(bringer), 1, now),
    forgive: (bringer) => {
      rate.give(subjectOf(bringer), 1);
      proved.delete(nameOf(bringer));
      proved.add(nameOf(bringer));
      const [oldest] = proved;
      if (proved.size > provedMax && oldest !== undefined) proved.delete(oldest);
    },
  };
}
