import { afterAll, expect, test } from "vitest";
import { aChannel, aPractice, aStore } from "#test/support/cases/cases";
import { createLoad, type Load } from "./load.ts";
import { unscoped } from "#lib/db/db";

// Each has a store and a load of its own, like two processes of the service.
const stores = [aStore(), aStore()];
const [store] = stores as [(typeof stores)[number]];
afterAll(async () => {
  for (const each of stores) await each.close();
});

const practiceId = await aPractice(store);
const aChannelId = async () => (await aChannel(store, { practices: [practiceId] })).actor.id;
const loads = () => stores.map((each) => createLoad({ store: each, onError: failed }));
const failures: unknown[] = [];
const failed = (error: unknown) => void failures.push(error);

async function entered(load: Load, channelId: string, limits: Parameters<Load["enter"]>[1]) {
  const answer = await load.enter(channelId, limits);
  return "leave" in answer ? answer.leave : undefined;
}

test("over all processes a channel gets exactly the calls that its rate allows", async () => {
  const channelId = await aChannelId();
  const limits = { callsPerSecond: 40 };
  const [one, two] = loads() as [Load, Load];
  const began = performance.now();
  let letIn = 0;
  while (performance.now() - began < 1_500) {
    const round = [one, two, one].map((load) => entered(load, channelId, limits));
    letIn += (await Promise.all(round)).filter(Boolean).length;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const seconds = (performance.now() - began) / 1_000;
  // Each process may take the calls of 0.2 s in advance.
  expect(letIn).toBeLessThanOrEqual(40 * (seconds + 1) + 2 * 8);
  expect(letIn).toBeGreaterThanOrEqual(40 * seconds);
});

test("one process alone may use the whole rate, and the calls of one second are admitted as a burst", async () => {
  const channelId = await aChannelId();
  const [one] = loads() as [Load];
  const burst = Array.from({ length: 80 }, () => entered(one, channelId, { callsPerSecond: 50 }));
  const letIn = (await Promise.all(burst)).filter(Boolean).length;
  expect(letIn).toBeGreaterThanOrEqual(50);
  expect(letIn).toBeLessThanOrEqual(50 + 10 + 10);
});

test("a call over the rate learns when to try again, and a call of another channel is admitted", async () => {
  const [channelId, other] = [await aChannelId(), await aChannelId()];
  const [one] = loads() as [Load];
  const answers = [];
  for (let call = 0; call < 6; call += 1) answers.push(await one.enter(channelId, { callsPerSecond: 1 }));
  expect(answers.find((answer) => "full" in answer)).toEqual({ full: "rate-exceeded", retryAfterS: 1, isRate: true });
  expect(await entered(one, other, { callsPerSecond: 1 })).toBeDefined();
});

test("over all processes only so many calls are under way, and each one that ends makes room", async () => {
  const channelId = await aChannelId();
  const limits = { callsAtOnce: 5 };
  const both = loads();
  let underWay = 0;
  let most = 0;
  let done = 0;
  const calls = Array.from({ length: 200 }, async (_, call) => {
    const leave = await entered(both[call % 2] as Load, channelId, limits);
    if (!leave) return;
    most = Math.max(most, (underWay += 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
    underWay -= 1;
    done += 1;
    leave();
  });
  await Promise.all(calls);
  expect(most).toBe(5);
  expect(done).toBeGreaterThanOrEqual(5);
});

test("room that a process does not use goes to another process", async () => {
  const channelId = await aChannelId();
  const limits = { callsAtOnce: 4 };
  const [one, two] = loads() as [Load, Load];
  const held = await Promise.all([1, 2, 3, 4].map(() => entered(one, channelId, limits)));
  expect(held.every(Boolean)).toBe(true);
  expect(await entered(two, channelId, limits)).toBeUndefined();
  for (const leave of held) leave?.();
  const all = async () => Promise.all([1, 2, 3, 4].map(() => entered(two, channelId, limits)));
  await expect
    .poll(
      async () => {
        const got = await all();
        for (const leave of got) leave?.();
        return got.filter(Boolean).length;
      },
      { timeout: 8_000, interval: 60 },
    )
    .toBe(4);
});

test("room that is being returned is not used while the answer is pending", async () => {
  const channelId = await aChannelId();
  const limits = { callsAtOnce: 5 };
  const [one, two] = loads() as [Load, Load];
  const five = (load: Load) => Promise.all([1, 2, 3, 4, 5].map(() => entered(load, channelId, limits)));
  for (const leave of await five(one)) leave?.();
  // Every second it renews its room, and returns what it did not use since the last time.
  const held = "SELECT held::text AS held FROM call_room WHERE channel_id = $1::uuid";
  const first = await store.pool.query(held, [channelId]);
  const again = () => store.pool.query(held, [channelId]).then(({ rows }) => rows);
  await expect.poll(again, { timeout: 5_000, interval: 10 }).not.toEqual(first.rows);
  const between = await unscoped(store).pool.connect();
  try {
    await between.query("BEGIN");
    const { rows } = await between.query<{ pid: number }>(`SELECT pg_backend_pid() AS pid, (${held} FOR UPDATE)`, [
      channelId,
    ]);
    const isAsking = "SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))";
    const asking = () => store.pool.query(isAsking, [rows[0]?.pid]).then(({ rowCount }) => rowCount);
    await expect.poll(asking, { timeout: 5_000 }).toBe(1);
    const both = [five(one), five(two)];
    await between.query("COMMIT");
    const letIn = (await Promise.all(both)).flat().filter(Boolean);
    expect(letIn).toHaveLength(5);
    for (const leave of letIn) leave?.();
  } finally {
    between.release();
  }
});

test("a lowered limit applies to the next call of every process", async () => {
  const channelId = await aChannelId();
  const [one, two] = loads() as [Load, Load];
  const first = await Promise.all(
    [one, one, one, two, two].map((load) => entered(load, channelId, { callsAtOnce: 5 })),
  );
  expect(first.every(Boolean)).toBe(true);
  for (const load of [one, two]) expect(await entered(load, channelId, { callsAtOnce: 1 })).toBeUndefined();
  for (const leave of first) leave?.();
  const again = await Promise.all([one, two, one, two].map((load) => entered(load, channelId, { callsAtOnce: 1 })));
  expect(again.filter(Boolean).length).toBeLessThanOrEqual(1);
});

test("no background work failed", () => {
  expect(failures).toEqual([]);
});
