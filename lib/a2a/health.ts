import { admit } from "#lib/channel/store/admission";
import type { Store } from "#lib/db/db";
import { readCommitStanding } from "#lib/db/replication";

/** Longest that the database may take to answer before this process counts as not ready. */
const databaseMs = 1_500;

/** How long an answer is reused: the database is asked at most once in this time. */
const heldMs = 1_000;

/** The same while it fails, because a balancer sends no call until it hears that the database is back. */
const failureHeldMs = 250;

/** `worker`: none is at work. `replication`: no standby confirms commits, although one should. */
export type Degradation = "worker" | "replication";

export type Readiness =
  | {
      readonly status: "ready";
      readonly mail: "on" | "off";
      /** What does not work meanwhile. Reads are served, and calls that change something as far as they can be. */
      readonly degraded?: readonly Degradation[] | undefined;
    }
  | { readonly status: "not-ready"; readonly because: "database" | "stopping" };

export type Health = {
  /** Ready when the database answered in time what calls ask of it, and this process is not stopping. */
  readonly readiness: () => Promise<Readiness>;
  readonly markStopping: () => void;
};

type HealthOptions = {
  readonly mail: boolean;
  /** Whether a standby should confirm commits. */
  readonly replicates?: boolean;
  readonly prove?: () => Promise<void>;
};

/** The health of a process that serves from this store, once `prove` has resolved. */
export function healthOf(
  store: Store,
  { mail, replicates = false, prove = async () => undefined }: HealthOptions,
): Health {
  const ask = async () => {
    await prove();
    const { isWorkerSilent, commits } = await askReadiness(store, { replicates });
    return [
      ...(isWorkerSilent ? (["worker"] as const) : []),
      ...(commits === "confirmed" ? [] : (["replication"] as const)),
    ];
  };
  return createHealth(ask, { mail });
}

/** `ask` must run what calls need of the database and reject when it fails. */
export function createHealth(ask: () => Promise<readonly Degradation[] | void>, { mail = false } = {}): Health {
  let stopping = false;
  const probe = cachedProbe(async () => (await ask()) ?? []);
  return {
    readiness: async () => {
      if (stopping) return { status: "not-ready", because: "stopping" };
      const degraded = await probe();
      if (!degraded) return { status: "not-ready", because: "database" };
      return { status: "ready", mail: mail ? "on" : "off", ...(degraded.length > 0 && { degraded }) };
    },
    markStopping: () => {
      stopping = true;
    },
  };
}

/**
 * Returns what `ask` answers in time, undefined if it fails or takes too long. Only one runs at once: other callers share its answer, and a late one must end
 * before the next begins, so that a silent database does not gather more and more questions.
 */
function cachedProbe<Value extends object>(ask: () => Promise<Value>): () => Promise<Value | undefined> {
  let underWay: Promise<Value | undefined> | undefined;
  let known: { readonly value: Value | undefined; readonly at: number } = { value: undefined, at: -Infinity };
  const begin = () => {
    const done = (value: Value | undefined) => {
      known = { value, at: performance.now() };
      underWay = undefined;
      return value;
    };
    return inTime(ask().then(done, () => done(undefined)));
  };
  return async () => {
    const reusedMs = known.value ? heldMs : failureHeldMs;
    if (!underWay && performance.now() - known.at < reusedMs) return known.value;
    return (underWay ??= begin());
  };
}

/** The answer; undefined when it takes too long. */
async function inTime<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), databaseMs);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A key that cannot exist, so that the statement runs and finds nothing. */
const noKey = { keyId: "", secretHash: new Uint8Array(32) };
const noTask = "00000000-0000-0000-0000-000000000000";

/**
 * Runs the statements that calls depend on: the look-up of a key with a task and with a payer connection, the keys of the
 * practices, and a committed write. Rejects if one of them fails.
 */
async function askReadiness(store: Store, { replicates }: { readonly replicates: boolean }) {
  const [{ rows }, commits] = await Promise.all([
    store.pool.query<{ isWorkerSilent: boolean }>({
      name: "worker-silent",
      text: `SELECT coalesce(max(beat_at) < clock_timestamp() - interval '1 minute', false) AS "isWorkerSilent"
               FROM worker_heartbeat`,
    }),
    replicates ? readCommitStanding(store) : ("confirmed" as const),
    admit(store, noKey, { taskId: noTask }),
    admit(store, noKey, { practiceId: "", payerId: "" }),
    store.keys.ready([]),
    store.pool.query({
      name: "readiness",
      text: `INSERT INTO readiness (id, asked_at) VALUES (1, clock_timestamp())
             ON CONFLICT (id) DO UPDATE SET asked_at = excluded.asked_at`,
    }),
  ]);
  return { isWorkerSilent: rows[0]?.isWorkerSilent === true, commits };
}
