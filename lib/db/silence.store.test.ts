import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sealingKey } from "#test/support/cases/cases";
import { testDatabase } from "#test/support/database/fresh-database";
import { silentProxy, type SilentProxy } from "#test/support/database/silent-proxy";
import { coalesced } from "./coalesce.ts";
import { inTransaction, openStore, type Store } from "./db.ts";
import { isUnavailable } from "./unavailable.ts";
import { forPractices } from "./for-practices.ts";

/** Longer than a statement takes on a busy machine, and short enough to wait for. */
const silentMs = 1_500;

let proxy: SilentProxy;
let store: Store;
beforeAll(async () => {
  proxy = await silentProxy(testDatabase.appUrl);
  store = openStore({ url: proxy.url, sealingKey, connectionsMax: 12, silentMs });
});
beforeEach(() => proxy.speak());
afterAll(async () => {
  proxy.speak();
  await store.close();
  await proxy.close();
});

const collect = coalesced(async ({ pool }, asks: readonly number[]) => {
  const { rows } = await pool.query<{ n: number }>("SELECT unnest($1::int[]) AS n", [asks]);
  return rows.map(({ n }) => n);
});

/** Every way there is to ask the database for something. */
const ways: readonly (readonly [attempt: string, ask: () => Promise<unknown>])[] = [
  ["a statement of the pool", () => store.pool.query("SELECT 1")],
  ["a statement that many calls share", () => collect(store, 1)],
  ["a statement that says its practices first", () => forPractices(store, ["P1"]).pool.query("SELECT 1")],
  ["a look-up by Prisma", () => store.prisma.practice.count()],
  ["a look-up by Prisma in some practices", () => forPractices(store, ["P1"]).prisma.practice.count()],
  ["a transaction", () => inTransaction(store, (tx) => tx.$queryRaw`SELECT 1`)],
  ["a practice's key", () => store.keys.reload()],
];

/** Asks in every way at once; the reasons of those that failed. */
async function askAll(): Promise<readonly unknown[]> {
  const answers = await Promise.allSettled(ways.map(([, ask]) => ask()));
  return answers.flatMap((answer, index) =>
    answer.status === "rejected" ? [{ attempt: ways[index]?.[0], reason: answer.reason as unknown }] : [],
  );
}

test("every statement under way when the connection falls silent ends as unavailable, and its connection with it", async () => {
  expect(await askAll()).toEqual([]);
  // Longer than the test, so that nothing but silence is waited for.
  const settled = Promise.allSettled([
    store.pool.query("SELECT pg_sleep(5)"),
    forPractices(store, ["P1"]).pool.query("SELECT pg_sleep(5)"),
    store.prisma.$queryRaw`SELECT pg_sleep(5)::text`,
    inTransaction(store, (tx) => tx.$queryRaw`SELECT pg_sleep(5)::text`),
  ]);
  await expect.poll(() => store.pool.totalCount - store.pool.idleCount).toBe(4);
  proxy.fallSilent();
  for (const answer of await settled) {
    expect(answer.status).toBe("rejected");
    expect(isUnavailable((answer as PromiseRejectedResult).reason)).toBe(true);
  }
  expect(store.pool.totalCount).toBe(store.pool.idleCount);
  proxy.speak();
  expect(await askAll()).toEqual([]);
});

test("every statement made while the connection is silent is answered within seconds, and all are served once it is heard again", async () => {
  expect(await askAll()).toEqual([]);
  proxy.fallSilent();
  const began = performance.now();
  const failures = await askAll();
  expect(performance.now() - began).toBeLessThan(15_000);
  expect(failures).toHaveLength(ways.length);
  for (const { attempt, reason } of failures as { attempt: string; reason: unknown }[])
    expect([attempt, isUnavailable(reason)]).toEqual([attempt, true]);
  proxy.speak();
  expect(await askAll()).toEqual([]);
}, 30_000);

test("once one connection was silent for too long, no other of its age is believed", async () => {
  await Promise.all(Array.from({ length: 8 }, () => store.pool.query("SELECT pg_sleep(0.1)")));
  expect(store.pool.idleCount).toBeGreaterThanOrEqual(8);
  proxy.forgetOpen();
  await expect(store.pool.query("SELECT 1")).rejects.toSatisfy(isUnavailable);
  // Each of the others would have cost somebody the same wait.
  const began = performance.now();
  for (const _ of Array.from({ length: 10 })) await store.pool.query("SELECT 1");
  expect(performance.now() - began).toBeLessThan(silentMs * 2);
}, 20_000);

test("a connection is kept while it is idle, and while its statement takes its time and then answers", async () => {
  const client = await store.pool.connect();
  const pidOf = async () => (await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]?.pid;
  const pid = await pidOf();
  // Passed in the database: both together are longer than the bound, and while the other runs this one is idle.
  const almost = ["SELECT pg_sleep($1)", [(silentMs * 0.7) / 1_000]] as const;
  await client.query(almost[0], [...almost[1]]);
  for (const _ of [1, 2]) await store.pool.query(almost[0], [...almost[1]]);
  expect(await pidOf()).toBe(pid);
  client.release();
});
