import type { Pool, PoolClient } from "pg";
import { failingOf, retried } from "./retry.ts";

/** What changes something although it is a SELECT: functions of ours that write, and any of Postgres's own. */
const acting =
  /\b(?:audit_append\w*|audit_purge|reseal_\w+|set_config|pg_\w+)\s*\(|\bFOR (?:NO KEY )?(?:UPDATE|SHARE)\b/i;

/** Whether a statement only reads, so that it may be carried out twice. */
export function onlyReads(text: string): boolean {
  return /^\s*SELECT\b/i.test(text) && !acting.test(text);
}

/**
 * Makes a pool ask again for what a failed statement left undone, and for every statement that only reads; and give no
 * connection a second time over which a statement was lost. A prepared `Query` is good for one use, so whoever makes one
 * retries for themselves.
 */
export function retriedPool(pool: Pool): Pool {
  // Safe because of the ways to ask only those with a callback, which nobody here uses, give no promise.
  const query = pool.query.bind(pool) as (...asked: unknown[]) => Promise<unknown>;
  const again = (...asked: unknown[]) => {
    const text = textOf(asked[0]);
    return text === undefined ? query(...asked) : retried(() => query(...asked), { repeatable: onlyReads(text) });
  };
  const connect = pool.connect.bind(pool);
  // The pool itself asks with a callback.
  const connectWatched = (callback?: Parameters<Pool["connect"]>[0]) =>
    callback ? connect(callback) : connect().then(leavingWhenLost);
  return Object.assign(pool, { query: again, connect: connectWatched });
}

const lostBy = new Set(["perhaps", "silent"]);

/**
 * The pool hears of a connection's end only a moment after the statement that was lost with it: whoever came in between
 * would be given it.
 */
function leavingWhenLost(client: PoolClient): PoolClient {
  // Safe because whoever takes a connection of their own asks for promises.
  const query = client.query.bind(client) as (...asked: unknown[]) => unknown;
  const release = client.release.bind(client);
  const before = Object.getOwnPropertyDescriptor(client, "query");
  let isLost = false;
  const note = (error: unknown) => {
    isLost ||= lostBy.has(failingOf(error));
  };
  client.on("error", note);
  return Object.assign(client, {
    query: (...asked: unknown[]): unknown => {
      const answer = query(...asked);
      if (answer instanceof Promise) answer.catch(note);
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
export function textOf(asked: unknown): string | undefined {
  if (typeof asked === "string") return asked;
  if (typeof asked !== "object" || asked === null || "submit" in asked) return undefined;
  return "text" in asked && typeof asked.text === "string" ? asked.text : undefined;
}
