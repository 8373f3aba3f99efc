import type { Store } from "#lib/db/db";
import { askReadiness } from "./readiness.ts";

/** Longest the database may take before we say that it does not serve. */
const databaseMs = 1_500;

/** For how long an answer holds: however many ask, the database is asked once in this time. */
const heldMs = 1_000;

export type Readiness =
  | { readonly status: "ready"; readonly mail: "on" | "off" }
  | { readonly status: "not-ready"; readonly because: "database" | "stopping" };

export type Health = {
  /** Whether a call made now would be served: the database answered what calls ask, in time, and we are not stopping. */
  readonly readiness: () => Promise<Readiness>;
  readonly leave: () => void;
};

/** The health of a process that serves from this store. */
export function healthOf(store: Store, options: { readonly mail: boolean }): Health {
  return createHealth(() => askReadiness(store), options);
}

/** Goes by `ask`, which asks the database for what calls ask and fails where it does not get it. */
export function createHealth(ask: () => Promise<void>, { mail = false } = {}): Health {
  let stopping = false;
  const serves = asked(ask);
  return {
    readiness: async () => {
      if (stopping) return { status: "not-ready", because: "stopping" };
      return (await serves())
        ? { status: "ready", mail: mail ? "on" : "off" }
        : { status: "not-ready", because: "database" };
    },
    leave: () => {
      stopping = true;
    },
  };
}

/**
 * Whether `ask` succeeds in time. It is never under way twice: whoever asks meanwhile shares its answer, and where it is
 * late it is not asked again until it has ended, so that one who says nothing is not asked ever more.
 */
function asked(ask: () => Promise<void>): () => Promise<boolean> {
  let underWay: Promise<boolean> | undefined;
  let known = { serves: false, at: -Infinity };
  const begin = () => {
    const done = (serves: boolean) => {
      known = { serves, at: performance.now() };
      underWay = undefined;
      return serves;
    };
    return inTime(
      ask().then(
        () => done(true),
        () => done(false),
      ),
    );
  };
  return async () => {
    if (!underWay && performance.now() - known.at < heldMs) return known.serves;
    return (underWay ??= begin());
  };
}

/** What it resolves to; false where that takes too long. */
async function inTime(answer: Promise<boolean>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), databaseMs);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
