/** The database has been out of reach for longer than anybody waits for it. Nothing was asked. */
export class DatabaseAwayError extends Error {
  override readonly name = "DatabaseAwayError";
  constructor(cause: unknown) {
    super("The database has been out of reach for some time.", { cause });
  }
}

/** Whether the database of a pool can be reached, by what becomes of the attempts to. */
export type Reach = {
  /** The error for whoever asks now, while the database is out of reach. */
  readonly refusal: () => DatabaseAwayError | undefined;
  /** Nobody was reached, or a connection was lost. `forMs`: for how long it had been waited for. */
  readonly failed: (error: unknown, forMs?: number) => void;
  readonly answered: () => void;
  readonly close: () => void;
};

/** How long callers keep trying to reach a database before all of them are told at once that it is away. */
const patienceMs = 1_000;

/**
 * How often a database that is away is tried, by the whole process. Tries may overlap: one into a network that loses
 * everything ends late.
 */
const probeEveryMs = 250;

/**
 * Watches the attempts to reach a database. As long as they fail, `probe` tries it in the background on a connection of
 * its own, so that no caller waits for a database that is away, and everybody is let in as soon as it is back.
 */
export function watchReach(probe: () => Promise<void>): Reach {
  const outage = createOutage(patienceMs);
  let probing: NodeJS.Timeout | undefined;
  let lastError: unknown;

  function stopProbing(): void {
    clearInterval(probing);
    probing = undefined;
  }

  const answered = () => {
    outage.succeeded();
    if (probing) stopProbing();
  };
  const fail = (error: unknown, forMs?: number) => {
    lastError = error;
    outage.failed(forMs);
  };
  const tryOnce = () => void probe().then(answered, fail);

  return {
    refusal: () => (outage.lasts() ? new DatabaseAwayError(lastError) : undefined),
    failed: (error, forMs) => {
      fail(error, forMs);
      if (!outage.isSuspected() || probing) return;
      probing = setInterval(tryOnce, probeEveryMs).unref();
      tryOnce();
    },
    answered,
    close: stopProbing,
  };
}

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
