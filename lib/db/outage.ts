/** Tells an outage from single failures: nobody has succeeded since the first of them failed. */
export type Outage = {
  /** An attempt failed that had waited for so long. It says nothing where another succeeded meanwhile. */
  readonly failed: (forMs?: number) => void;
  readonly succeeded: () => void;
  /** Somebody failed, and nobody has succeeded since. */
  readonly isSuspected: () => boolean;
  /** The same, for longer than `patienceMs`. */
  readonly lasts: () => boolean;
};

export function createOutage(patienceMs: number, now: () => number = () => performance.now()): Outage {
  let failingSince: number | undefined;
  let succeededAt = Number.NEGATIVE_INFINITY;
  return {
    failed: (forMs = 0) => {
      const since = now() - forMs;
      if (since >= succeededAt) failingSince = Math.min(failingSince ?? since, since);
    },
    succeeded: () => {
      failingSince = undefined;
      succeededAt = now();
    },
    isSuspected: () => failingSince !== undefined,
    lasts: () => failingSince !== undefined && now() - failingSince >= patienceMs,
  };
}
