import type { Pool, PoolClient } from "pg";
import { namesOf } from "./failure-names.ts";
import type { Reach } from "./reach.ts";
import { type Failing, failingOf, retried } from "./retry.ts";
import { silentMs } from "./silence.ts";
import { isReadOnly } from "./unavailable.ts";

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
  // Safe because of the ways to ask only those with a callback, which nobody here uses, give no promise.
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
 * would be given it. One that became read-only is given up too: it leads to a server that is primary no more.
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
      if (answer instanceof Promise) answer.then(reach.answered, note);
      return answer;
    },
    release: (error?: Error | boolean) => {
      client.off("error", note);
      Reflect.deleteProperty(client, "query");
      if (before) Object.defineProperty(client, "query", before);
      release(error ?? isLost);
    },
  });
}

/** Of a statement as text or with its name and values; of a prepared one, nothing. */
export function textOf(statement: unknown): string | undefined {
  if (typeof statement === "string") return statement;
  if (typeof statement !== "object" || statement === null || "submit" in statement) return undefined;
  return "text" in statement && typeof statement.text === "string" ? statement.text : undefined;
}
