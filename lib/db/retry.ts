import { setTimeout as pause } from "node:timers/promises";
import { NotPrimaryError } from "./clients.ts";
import { namesOf } from "./failure-names.ts";
import { DatabaseAwayError, type Reach } from "./reach.ts";
import { DatabaseSilentError, lockMs, silentMs } from "./silence.ts";
import { PracticeHeldUpError, isReadOnly } from "./unavailable.ts";
import type { Pool, PoolClient } from "pg";

/** What failed may have been done all the same: the connection went while the database was told to keep it. */
export class PerhapsDone extends Error {
  constructor(cause: unknown) {
    super("The connection to the database was lost before it said whether this was done.", { cause });
  }
}

/** Nothing was done, although it was tried for as long as anybody may be kept waiting. */
export class NothingDone extends Error {
  constructor(cause: unknown) {
    super("The database could not be asked for too long; nothing was done.", { cause });
  }
}

/** Nothing was done, by what is known of where it failed; to be tried again. */
export class Undone extends Error {
  constructor(cause: unknown) {
    super("The connection to the database was lost before anything was to be kept.", { cause });
  }
}

/**
 * What a failure says of the work it ended. `undone`: the database was not reached and nothing was done. `raced`: others
 * came first and nothing was done. `locked`: a lock was not had in time and nothing was done. All three may well succeed
 * if asked again. `late`: nothing was done either, and it was waited for long enough. `perhaps`: the connection was lost
 * after it was asked for. `silent`: the same, after a wait that leaves no time for another. `failed`: anything else,
 * which would fail again.
 */
type Failing = "undone" | "raced" | "locked" | "late" | "perhaps" | "silent" | "failed";

/** Deadlocks, lost races of transactions, locks not had in time: PostgreSQL undid all of it (its appendix A, class 40). */
const racedStates = new Set(["40001", "40P01"]);
const notLockedState = "55P03";

/** A server that starts, or has no connection left to give: it says so before it takes any statement. */
const notLetInStates = new Set(["57P03", "53300"]);

/** The server went: by order, after a crash, or over a broken connection. */
const lostStates = /^(?:57P01|57P02|08[0-9A-Z]{3})$/;

/** Nobody was reached, so nothing was asked. */
const notReachedCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN"]);

/** What `pg` says before it writes anything to a connection that has gone, and of one that was never there. */
const notSentText = /^Client (?:has encountered a connection error|was closed) and is not queryable/;

/** No connection was had in the time there is for that, by `pg`'s pool, by a new connection and by Prisma. */
const noConnection =
  /^timeout exceeded when trying to connect|^Connection terminated due to connection timeout|Unable to start a transaction in the given time/;

/** What `pg` and Node say of a connection that goes while it is waited on. */
const lostCodes = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT"]);
const lost = /^(?:Connection terminated|Query read timeout)/;

/** As Prisma's adapter calls what it does not hand on by its code. */
const failingByKind: Readonly<Record<string, Failing>> = {
  DatabaseNotReachable: "undone",
  TooManyConnections: "undone",
  ConnectionClosed: "perhaps",
  SocketTimeout: "perhaps",
};

/** What this failure of a statement, or of a commit, says of it. */
export function failingOf(error: unknown): Failing {
  if (error instanceof Undone) return "undone";
  if (error instanceof PerhapsDone) return "perhaps";
  if (error instanceof DatabaseSilentError) return "silent";
  if (error instanceof NotPrimaryError) return "undone";
  if (error instanceof DatabaseAwayError || error instanceof PracticeHeldUpError) return "late";
  const { state, code, kind, message } = namesOf(error);
  if (state !== undefined) {
    if (racedStates.has(state)) return "raced";
    if (state === notLockedState) return "locked";
    if (notLetInStates.has(state)) return "undone";
    return lostStates.test(state) ? "perhaps" : "failed";
  }
  if (kind !== undefined && kind in failingByKind) return failingByKind[kind] ?? "failed";
  if (noConnection.test(message)) return "late";
  if (notReachedCodes.has(code) || notSentText.test(message)) return "undone";
  return lostCodes.has(code) || lost.test(message) ? "perhaps" : "failed";
}

/** No further try begins after this; where a lock was waited for in vain, after the second. */
const tryingMs = 8_000;
const lockTryingMs = lockMs;

const firstPauseMs = 10;
const pauseMaxMs = 500;

type Options = {
  /** Asked twice it is done once: then it may be asked again whatever became of it before. */
  readonly repeatable?: boolean;
};

/**
 * Does what `work` does, again after every failure that is certain to have done nothing, with growing pauses that differ
 * by chance, so that those who met once do not meet again. Fails with `NothingDone` when that took too long, and with
 * `PerhapsDone` where it may have been done; what is `repeatable` is asked for again then too.
 */
export async function retried<Value>(work: () => Promise<Value>, { repeatable = false }: Options = {}): Promise<Value> {
  const began = performance.now();
  let doubt: PerhapsDone | undefined;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, pauseMaxMs)) {
    try {
      return await work();
    } catch (error) {
      const failing = failingOf(error);
      if (failing === "failed" || failing === "silent") throw doubt ?? error;
      if (failing === "perhaps") doubt ??= error instanceof PerhapsDone ? error : new PerhapsDone(error);
      const until = began + (failing === "locked" ? lockTryingMs : tryingMs);
      const isOver = failing === "late" || performance.now() + pauseMs > until;
      if (doubt && (isOver || !repeatable)) throw doubt;
      if (isOver) throw new NothingDone(error);
      await pause(pauseMs * (0.5 + Math.random()));
    }
  }
}

/** What changes something although it is a SELECT: functions of ours that write, and any of Postgres's own. */
const acting =
  /\b(?:audit_append\w*|audit_purge|keep_partitions|release_standing|reseal_\w+|set_config|pg_\w+)\s*\(|\bFOR (?:NO KEY )?(?:UPDATE|SHARE)\b/i;

/** Whether a statement only reads, so that it may be carried out twice. */
export function onlyReads(text: string): boolean {
  return /^\s*SELECT\b/i.test(text) && !acting.test(text);
}

/**
 * Makes a pool ask again for what a failed statement left undone, and for every statement that only reads; give no
 * connection a second time over which a statement was lost; and fail at once while `reach` says that the database is
 * away. A prepared `Query` is good for one use, so whoever makes one retries for themselves.
 */
export function retriedPool(pool: Pool, reach: Reach): Pool {
  const note = (error: unknown) => noteFailure(reach, error);
  // Safe because only the callback form gives no promise, and nothing here uses it.
  const ask = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
  const query = async (...args: unknown[]) => {
    try {
      const answer = await ask(...args);
      reach.answered();
      return answer;
    } catch (error) {
      note(error);
      throw error;
    }
  };
  const again = (...args: unknown[]) => {
    const text = textOf(args[0]);
    return text === undefined ? query(...args) : retried(() => query(...args), { repeatable: onlyReads(text) });
  };
  const connect = pool.connect.bind(pool);
  // The pool itself asks with a callback.
  const connectWatched = (callback?: Parameters<Pool["connect"]>[0]) => {
    const away = reach.refusal();
    if (callback) return away ? callback(away, undefined, () => undefined) : connect(callback);
    return away ? Promise.reject(away) : connect().then((client) => leavingWhenLost(client, reach), rethrowing(note));
  };
  return Object.assign(pool, { query: again, connect: connectWatched });
}

function rethrowing(note: (error: unknown) => void) {
  return (error: unknown) => {
    note(error);
    throw error;
  };
}

/** What a failure says of whether the database can be reached. Where Postgres itself answered, it can. */
function noteFailure(reach: Reach, error: unknown): void {
  const failing = failingOf(error);
  if (failing === "silent") return reach.failed(error, silentMs);
  if (unreached.has(failing) || connecting.test(namesOf(error).message)) return reach.failed(error);
  if (failing === "raced" || failing === "locked") reach.answered();
}

const unreached: ReadonlySet<Failing> = new Set(["undone", "perhaps"]);

/** What `pg`'s pool says where it was the connecting that took too long, and not the wait for a free connection. */
const connecting = /^Connection terminated due to connection timeout/;

const lostBy: ReadonlySet<Failing> = new Set(["perhaps", "silent"]);

/**
 * The pool hears of a connection's end only a moment after the statement that was lost with it: whoever came in between
 * would be given it. One that became read-only is given up too: it leads to a server that is primary no more. And so is
 * one within a transaction, which is undone with it: whoever came next would go on in it, with its practices.
 */
function leavingWhenLost(client: PoolClient, reach: Reach): PoolClient {
  // Safe because whoever takes a connection of their own asks for promises.
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const release = client.release.bind(client);
  const before = Object.getOwnPropertyDescriptor(client, "query");
  let isLost = false;
  const note = (error: unknown) => {
    isLost ||= lostBy.has(failingOf(error)) || isReadOnly(error);
    noteFailure(reach, error);
  };
  client.on("error", note);
  return Object.assign(client, {
    query: (...args: unknown[]): unknown => {
      const answer = query(...args);
      const settled = settledOf(answer);
      settled?.then(reach.answered, note);
      return answer;
    },
    release: (error?: Error | boolean) => {
      client.off("error", note);
      Reflect.deleteProperty(client, "query");
      if (before) Object.defineProperty(client, "query", before);
      release(error ?? (isLost || hasOpenTransaction(client)));
    },
  });
}

/** As the database said it with its last answer. */
function hasOpenTransaction(client: PoolClient): boolean {
  return client.getTransactionStatus() !== "I";
}

/** When a statement is carried out, or all of those that go together. */
function settledOf(answer: unknown): Promise<unknown> | undefined {
  if (answer instanceof Promise) return answer;
  const isTrip = typeof answer === "object" && answer !== null && "settled" in answer;
  return isTrip && answer.settled instanceof Promise ? answer.settled : undefined;
}

/** Of a statement as text or with its name and values; of a prepared one, nothing. */
export function textOf(statement: unknown): string | undefined {
  if (typeof statement === "string") return statement;
  if (typeof statement !== "object" || statement === null || "submit" in statement) return undefined;
  return "text" in statement && typeof statement.text === "string" ? statement.text : undefined;
}
