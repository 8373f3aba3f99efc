import { afterAll, expect, test } from "vitest";
import { aChannel, aPractice, aStore } from "#test/cases";
import { createLoad, type Load } from "./load.ts";

// Each its own store and load, as two processes of the service have them.
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

test("over all processes a channel calls no more than its rate allows, and all of it", async () => {
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
  // What each process may hold in advance is two tenths of a second's.
  expect(letIn).toBeLessThanOrEqual(40 * (seconds + 1) + 2 * 8);
  expect(letIn).toBeGreaterThanOrEqual(40 * seconds);
});

test("one process alone may use all of it, and a burst of a second's calls is let in at once", async () => {
  const channelId = await aChannelId();
  const [one] = loads() as [Load];
  const burst = Array.from({ length: 80 }, () => entered(one, channelId, { callsPerSecond: 50 }));
  const letIn = (await Promise.all(burst)).filter(Boolean).length;
  expect(letIn).toBeGreaterThanOrEqual(50);
  expect(letIn).toBeLessThanOrEqual(50 + 10 + 10);
});

test("a call over the rate is told when to come back, and another channel's is let in", async () => {
  const [channelId, other] = [await aChannelId(), await aChannelId()];
  const [one] = loads() as [Load];
  const answers = [];
  for (let call = 0; call < 6; call += 1) answers.push(await one.enter(channelId, { callsPerSecond: 1 }));
  expect(answers.find((answer) => "full" in answer)).toEqual({ full: "rate-exceeded", retryAfterS: 1 });
  expect(await entered(one, other, { callsPerSecond: 1 })).toBeDefined();
});

test("over all processes no more than so many calls are under way, and each that ends makes room", async () => {
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

test("room a process does not use goes to the one that does", async () => {
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

test("a limit that is lowered holds for the next call", async () => {
  const channelId = await aChannelId();
  const [one] = loads() as [Load];
  const first = await entered(one, channelId, { callsAtOnce: 3 });
  const second = await entered(one, channelId, { callsAtOnce: 3 });
  expect([first, second].every(Boolean)).toBe(true);
  expect(await entered(one, channelId, { callsAtOnce: 1 })).toBeUndefined();
});

test("none of it failed in the background", () => {
  expect(failures).toEqual([]);
});
