import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { trouble } from "../processes/report.mjs";

/**
 * How long a step waits for its locks at once. Whoever comes meanwhile waits behind it, so this is far below what callers
 * wait for a lock. Between two tries everybody goes on.
 */
const lockMs = 250;
const pauseMs = { first: 100, most: 2_000 };

/** How long a step is tried at most: longer than any reader that may be in its way. */
const patienceMs = 600_000;

/** Longest that one statement may take once it has its locks. */
const statementMs = 4 * 3_600_000;

/** A lock that was not had in time, a deadlock, and a row of Postgres's own that somebody else changed in the same moment. */
const isLockConflict = (error: unknown) =>
  error instanceof pg.DatabaseError &&
  (["55P03", "40P01"].includes(error.code ?? "") || error.message === "tuple concurrently updated");

export type Step = {
  /** What is changed, for the message if it cannot be. */
  readonly name: string;
  readonly statements: readonly string[];
  /** Runs after the statements, in the same transaction. */
  readonly record?: ((client: pg.Client) => Promise<unknown>) | undefined;
};

type Options = {
  /** Called when a step has waited for a second, once. */
  readonly onWaiting?: ((text: string) => void) | undefined;
};

/**
 * Changes the schema while others use it, by one transaction that takes few locks: it waits for them for a moment only, is
 * undone where it does not get them, and is tried again for up to ten minutes.
 */
export async function takeStep(
  client: pg.Client,
  { name, statements, record }: Step,
  { onWaiting }: Options = {},
): Promise<void> {
  const began = performance.now();
  let isReported = false;
  for (let pause = pauseMs.first; ; pause = Math.min(2 * pause, pauseMs.most)) {
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockMs}`);
      // The types of `pg` leave out that one statement may be given a time of its own.
      for (const text of statements) await client.query({ text, query_timeout: statementMs } as pg.QueryConfig);
      await record?.(client);
      await client.query("COMMIT");
      return;
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {});
      if (!isLockConflict(error)) throw error;
      const waited = performance.now() - began;
      if (waited > patienceMs) throw trouble(await heldUp(client, name));
      if (waited > 1_000 && !isReported) onWaiting?.(`waiting for others to let go of what ${name} changes`);
      isReported ||= waited > 1_000;
      await setTimeout(pause * (0.5 + Math.random()));
    }
  }
}

/** Runs a statement that Postgres runs in no transaction block, and that locks nobody out. */
export async function runAlone(client: pg.Client, text: string): Promise<void> {
  await client.query("SET lock_timeout = 0");
  await client.query({ text, query_timeout: statementMs } as pg.QueryConfig);
}

async function heldUp(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client.query<{ pid: number; application: string; seconds: number }>(
    `SELECT pid, application_name AS application, extract(epoch FROM clock_timestamp() - xact_start)::int AS seconds
       FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start < clock_timestamp() - interval '10 s'
      ORDER BY xact_start LIMIT 3`,
  );
  const others = rows.map(
    ({ pid, application, seconds }) => `process ${pid} (${application || "unnamed"}, ${seconds} s)`,
  );
  const who = others.length === 0 ? "others" : others.join(", ");
  return `${name} did not get its locks in ten minutes, because of ${who}: end what holds them, then start again; it goes on where it stopped.`;
}
