import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import type { Prisma } from "#lib/db/generated/prisma/client";
import { NeedsPrisma, type Outcome, tripsOver, withoutPrisma } from "./plain-transaction.ts";
import { namesOf } from "./failure-names.ts";
import { failingOf, PerhapsDone, Undone } from "./retry.ts";
import { GoesAlone, seating } from "./shared-trips.ts";
import { type HeldClient, holdingClient, noteHeld } from "./transaction-client.ts";
import { sayingPractices, scopeText } from "./tenant-scope.ts";

/** A change that may share a transaction with others of other practices or its own. */
type Sharer<Value> = {
  readonly practice: string;
  /** Reads, and then writes with one statement that `isLast`, or not at all. What does more runs alone. */
  readonly run: (tx: Prisma.TransactionClient) => Promise<Value>;
  /** Runs something as what asked for the change, whose trace it belongs to. */
  readonly within: <Answer>(run: () => Answer) => Answer;
  /** The same in a transaction of its own. */
  readonly alone: () => Promise<Outcome<Value>>;
};

/** Most changes that share one transaction. */
const sharersMax = 32;

/** Shared transactions under way at once at most; the connections beyond are for what goes alone. */
const sharedMax = 3;

/** While one is under way the next is gathered; one that takes this long may wait for somebody, and holds up no other. */
const slowMs = 60;

/** How long a change waits to be taken along; then it goes alone. */
const waitMaxMs = 3_000;

/**
 * Where a lock was waited for in vain, the changes of each practice go alone for so long, or until that of the batch went
 * through alone.
 */
const aloneMs = 2_000;

const queues = new WeakMap<Pool, ReturnType<typeof openQueue>>();

/**
 * Runs a change in one transaction with others that are asked for at the same time: what they read of one kind is one
 * statement, and all they write is committed together, in one round trip. Until then none has written anything, so
 * whatever hinders one (another's lock, a failing statement, more to write than one statement) sends it, or all of them,
 * back to run alone. Chains of the audit log are locked in that last round trip, in the order of the practices.
 */
export function sharedTransaction<Value>(pool: Pool, sharer: Sharer<Value>): Promise<Outcome<Value>> {
  let queue = queues.get(pool);
  if (!queue) queues.set(pool, (queue = openQueue(pool)));
  return queue(sharer);
}

const seats = new WeakMap<Prisma.TransactionClient, { readonly taken: Map<string, object>; readonly seat: object }>();

/**
 * Says what no two changes of one transaction may both lock, because the second would not wait for the first: it goes
 * alone. Without sharing it does nothing.
 */
export function lockedByOne(tx: Prisma.TransactionClient, keys: readonly string[]): void {
  const { taken, seat } = seats.get(tx) ?? {};
  if (!taken || !seat) return;
  for (const key of keys) {
    if ((taken.get(key) ?? seat) !== seat) throw new GoesAlone("Another change of the transaction has this lock.");
    taken.set(key, seat);
  }
}

const statementEndedState = "57014";

/** One who waits, and how they are answered. */
type Waiting = {
  readonly sharer: Sharer<unknown>;
  readonly settle: (outcome: Promise<Outcome<unknown>>) => void;
  readonly late: NodeJS.Timeout;
};

function openQueue(pool: Pool) {
  const waiting: Waiting[] = [];
  /** Since when each is under way. */
  const underWay = new Set<{ readonly since: number }>();
  const lone = lonePractices();
  let planned = false;

  function mayBegin(): boolean {
    const quickSince = performance.now() - slowMs;
    return underWay.size < sharedMax && ![...underWay].some(({ since }) => since > quickSince);
  }

  /** After what has arrived with this one was read too. */
  function plan(): void {
    if (planned || waiting.length === 0 || !mayBegin()) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      if (waiting.length > 0 && mayBegin()) take(waiting.splice(0, sharersMax));
    });
  }

  function take(batch: readonly Waiting[]): void {
    for (const { late } of batch) clearTimeout(late);
    const begun = { since: performance.now() };
    underWay.add(begun);
    const over = () => {
      underWay.delete(begun);
      plan();
    };
    const [only, ...others] = batch;
    if (only && others.length === 0) {
      const outcome = only.sharer.alone();
      only.settle(outcome);
      // Whatever it waits for, it takes no place of those that share.
      return void Promise.race([outcome.catch(() => undefined), pause(slowMs)]).then(over);
    }
    setTimeout(plan, slowMs + 1);
    const sharers = batch.map(({ sharer }) => sharer);
    const { outcomes, ended } = share(pool, sharers, lone);
    outcomes.forEach((outcome, index) => batch[index]?.settle(outcome));
    void ended.then(over);
  }

  return <Value>(sharer: Sharer<Value>): Promise<Outcome<Value>> => {
    if (lone.has(sharer.practice)) return sharer.alone();
    return new Promise((resolve) => {
      // Safe because each is answered with what its own `run` or `alone` gives.
      const settle = resolve as Waiting["settle"];
      const late = setTimeout(() => {
        waiting.splice(waiting.indexOf(one), 1);
        settle(sharer.alone());
      }, waitMaxMs);
      const one: Waiting = { sharer, settle, late };
      waiting.push(one);
      plan();
    });
  };
}

/** The practices whose changes go alone for now. */
function lonePractices() {
  const until = new Map<string, number>();
  return {
    note: (sharers: readonly Sharer<unknown>[]) => {
      for (const { practice } of sharers) until.set(practice, performance.now() + aloneMs);
    },
    forget: (practice: string) => void until.delete(practice),
    has: (practice: string) => {
      const isSo = (until.get(practice) ?? 0) > performance.now();
      if (!isSo) until.delete(practice);
      return isSo;
    },
  };
}

/** What became of a shared transaction. */
type End = { readonly fate: "kept" | "undone" | "unknown"; readonly error?: unknown };

function share(
  pool: Pool,
  sharers: readonly Sharer<unknown>[],
  lone: ReturnType<typeof lonePractices>,
): { readonly outcomes: readonly Promise<Outcome<unknown>>[]; readonly ended: Promise<End> } {
  const ended = Promise.withResolvers<End>();
  const runs = Promise.withResolvers<readonly SharedRun[]>();
  void runTogether(pool, sharers, runs.resolve).then(
    (end) => {
      if (end.fate === "undone" && isLockKept(end.error)) lone.note(sharers);
      ended.resolve(end);
    },
    (error: unknown) => {
      runs.resolve([]);
      ended.resolve({ fate: "undone", error });
    },
  );
  const outcomes = sharers.map(async ({ practice, alone }, index) => {
    const begun = (await runs.promise)[index];
    const [run] = await Promise.allSettled([begun?.value ?? Promise.reject(new GoesAlone())]);
    const { fate, error } = await ended.promise;
    const outcome = outcomeOf(run, { fate, error, hasWritten: begun?.hasWritten() === true }) ?? (await alone());
    // Whatever kept the others waiting, it was not this one.
    lone.forget(practice);
    return outcome;
  });
  return { outcomes, ended: ended.promise };
}

/** A lock that was not had in time, or as many as together took too long: the statement that waited was ended. */
function isLockKept(error: unknown): boolean {
  return failingOf(error) === "locked" || namesOf(error).state === statementEndedState;
}

/** Undefined where nothing of it was kept and it is to run alone. What may have been written is never done again. */
function outcomeOf(
  run: PromiseSettledResult<unknown>,
  { fate, error, hasWritten }: End & { readonly hasWritten: boolean },
): Outcome<unknown> | undefined {
  if (hasWritten && fate === "unknown") throw new PerhapsDone(error);
  if (run.status === "fulfilled") return fate === "kept" ? { value: run.value } : undefined;
  // Safe because this is what a promise was rejected with.
  const reason = run.reason as unknown;
  const isKept = hasWritten && fate === "kept";
  if (!isKept && (reason instanceof GoesAlone || reason instanceof NeedsPrisma)) return undefined;
  // A connection beside the transaction's, as of the keys: what the transaction writes was not kept.
  throw !isKept && failingOf(reason) === "perhaps" ? new Undone(reason) : reason;
}

/** A change in a shared transaction: what it gives, and whether what it writes was sent. */
type SharedRun = { readonly value: Promise<unknown>; readonly hasWritten: () => boolean };

/** Runs the changes over one connection, until all of it is committed or undone. */
async function runTogether(
  pool: Pool,
  sharers: readonly Sharer<unknown>[],
  onBegun: (runs: readonly SharedRun[]) => void,
): Promise<End> {
  const client = await pool.connect();
  const practices = scopeText([...new Set(sharers.map(({ practice }) => practice))].sort());
  const trips = tripsOver(client, [sayingPractices(practices, "practicesShared")]);
  const { seat, settled } = seating(trips);
  const taken = new Map<string, object>();
  const runs = sharers.map(({ practice, run, within }) => {
    const { own, asking, leave } = seat(practice);
    const held: HeldClient = { client: asking, isTaken: true };
    const tx = withoutPrisma({ hasEnded: () => own.last !== undefined });
    noteHeld(tx, held);
    seats.set(tx, { taken, seat: own });
    const value = within(async () => holdingClient(held, () => run(tx))).finally(() => {
      held.client = undefined;
      leave();
    });
    value.catch(() => undefined);
    return { value, hasWritten: () => own.last !== undefined };
  });
  onBegun(runs);
  try {
    await settled;
    await trips.commit();
    client.release();
    return { fate: "kept" };
  } catch (error) {
    const { fate, isFree } = await trips.end();
    client.release(isFree ? undefined : true);
    return { fate, error };
  }
}
