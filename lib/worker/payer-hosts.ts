import { instruments } from "#lib/platform/metrics/instruments";
import type { HostOutcome } from "#lib/platform/outbound/exchange";

/** What a host has in hand, and how much it may have. */
type Host = {
  inHand: number;
  /** Grows by one with each answer and is halved by each failure, so that a host that stops answering takes few places. */
  limit: number;
  failures: number;
  failingSince: number;
};

export type HostFailure = {
  readonly payerHost: string;
  readonly reason: string;
  readonly retryAfterMs: number | undefined;
  /** For how long the host has failed. */
  readonly forMs: number;
  /** It was not away before. */
  readonly isNew: boolean;
};

type Settings = {
  /** The most that one host may have in hand. */
  readonly most: number;
  /** Called when a host has failed too often in a row, and at each failure after that. */
  readonly onFailing: (failure: HostFailure) => void;
  /** Called when a host that is away has answered. */
  readonly onBack: (payerHost: string) => void;
};

export type HostFigures = { readonly payerHost: string; readonly inHand: number; readonly room: number };

/** The places of one exchange with a payer host. */
export type HostPlace = {
  /** What the exchange said of the host; may be called for several exchanges of the same work. */
  readonly onOutcome: (outcome: HostOutcome) => void;
  readonly leave: () => void;
};

export type PayerHosts = {
  /** Takes a place at a host; more than there is room for are taken only for the one exchange that tries it. */
  readonly enter: (payerHost: string) => HostPlace;
  /** How much more each known host may be given; those that are away, none. */
  readonly rooms: () => ReadonlyMap<string, number>;
  readonly figures: () => readonly HostFigures[];
  /** How much a host that is not known may be given. */
  readonly otherRoom: number;
  /** The hosts that are away, by what all workers know. */
  readonly setAway: (payerHosts: readonly string[]) => void;
};

const firstLimit = 16;
const leastLimit = 2;

/** After so many failures in a row a host is taken to be away. */
const failuresMax = 5;

/** Bounds what each payer host has in hand in this process, and tells when one stops answering (a circuit breaker). */
export function createPayerHosts({ most, onFailing, onBack }: Settings): PayerHosts {
  const hosts = new Map<string, Host>();
  let away: ReadonlySet<string> = new Set();

  function hostOf(payerHost: string): Host {
    let host = hosts.get(payerHost);
    if (!host)
      hosts.set(payerHost, (host = { inHand: 0, limit: Math.min(firstLimit, most), failures: 0, failingSince: 0 }));
    return host;
  }

  function note(payerHost: string, host: Host, outcome: HostOutcome): void {
    if (outcome.type === "answered") {
      host.failures = 0;
      host.limit = Math.min(most, host.limit + 1);
      if (away.has(payerHost)) onBack(payerHost);
      away = new Set([...away].filter((name) => name !== payerHost));
      return;
    }
    if (host.failures === 0) host.failingSince = performance.now();
    host.failures += 1;
    host.limit = Math.max(leastLimit, Math.floor(host.limit / 2));
    const isNew = !away.has(payerHost);
    if (host.failures < failuresMax && isNew) return;
    away = new Set([...away, payerHost]);
    const { reason, retryAfterMs } = outcome;
    onFailing({ payerHost, reason, retryAfterMs, isNew, forMs: performance.now() - host.failingSince });
  }

  return {
    enter: (payerHost) => {
      const host = hostOf(payerHost);
      host.inHand += 1;
      const began = performance.now();
      return {
        // Without an address of its own there is no host that could be away.
        onOutcome: (outcome) => {
          instruments().exchanges.inc({ payer_host: payerHost, outcome: outcome.type });
          if (payerHost !== "") note(payerHost, host, outcome);
        },
        leave: () => {
          host.inHand -= 1;
          instruments().exchangeSeconds.observe({ payer_host: payerHost }, (performance.now() - began) / 1_000);
        },
      };
    },
    rooms: () => {
      const known = [...hosts].map(([name, { limit, inHand }]) => [name, Math.max(0, limit - inHand)] as const);
      return new Map([...known, ...[...away].map((name) => [name, 0] as const)]);
    },
    figures: () =>
      [...hosts].map(([payerHost, { inHand, limit }]) => ({
        payerHost,
        inHand,
        room: away.has(payerHost) ? 0 : Math.max(0, limit - inHand),
      })),
    otherRoom: Math.min(firstLimit, most),
    setAway: (payerHosts) => {
      away = new Set(payerHosts);
    },
  };
}
