import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { openWholeStore } from "#test/support/database/whole-store";
import { actsOf, aHeldTask, aStore, fullReview, keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { testDatabase } from "#test/support/database/fresh-database";
import { unguarded } from "#test/support/database/ledgers";
import { silentProxy } from "#test/support/database/silent-proxy";
import { startWorker } from "./run.ts";
import { unscoped } from "#lib/db/db";
import { showDatabase } from "#lib/db/show-database";
import { instruments } from "#lib/platform/metrics/instruments";

const direct = aStore();
const proxy = await silentProxy(testDatabase.appUrl);
const keys = { sealingKey, receiptKey, keyPepper };
const store = openWholeStore({ url: proxy.url, ...keys, connectionsMax: 8, silentMs: 1_500 });
afterAll(async () => {
  proxy.speak();
  await Promise.all([store.close(), direct.close()]);
  await proxy.close();
});

/** A gate whose time is over, which the worker closes. */
async function anExpiredGate(): Promise<string> {
  const { taskId } = await aHeldTask(direct, { review: fullReview });
  await direct.prisma.gate.updateMany({ where: { taskId }, data: { openedAt: new Date(0), expiresAt: new Date(1) } });
  return taskId;
}

const isExpired = async (taskId: string) => (await actsOf(direct, taskId)).includes("gate.expired");

test("a worker whose database stops answering keeps trying, says so without calling it a bug, and continues by itself once it is back", async () => {
  let rounds = 0;
  const lines: { readonly level: number; readonly msg: string }[] = [];
  // Safe because pino writes it.
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) });
  const worker = startWorker({
    store: unscoped(store),
    log,
    guard: unguarded,
    everyMs: 50,
    onRound: () => void (rounds += 1),
  });
  try {
    const first = await anExpiredGate();
    await expect.poll(() => isExpired(first), { timeout: 15_000 }).toBe(true);
    proxy.fallSilent();
    const second = await anExpiredGate();
    const before = rounds;
    // Each round without an answer ends in seconds, and the next one begins.
    await expect.poll(() => rounds, { timeout: 20_000 }).toBeGreaterThan(before + 1);
    expect(await isExpired(second)).toBe(false);
    expect(lines).toContainEqual(expect.objectContaining({ level: 40, msg: "looking for work failed" }));
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
    proxy.speak();
    await expect.poll(() => isExpired(second), { timeout: 15_000 }).toBe(true);
  } finally {
    proxy.speak();
    await worker.stop();
  }
}, 60_000);

test("the metrics show within seconds that the database gives no answer, and that it does again", async () => {
  const shown = async () => {
    const began = performance.now();
    await showDatabase(unscoped(store));
    expect(performance.now() - began).toBeLessThan(5_000);
    return (await instruments().databaseAnswers.get()).values.map(({ value }) => value);
  };
  expect(await shown()).toEqual([1]);
  proxy.fallSilent();
  try {
    expect(await shown()).toEqual([0]);
    expect(await shown()).toEqual([0]);
  } finally {
    proxy.speak();
  }
  await expect.poll(shown, { timeout: 15_000 }).toEqual([1]);
}, 60_000);
