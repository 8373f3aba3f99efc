import { setImmediate as settled } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { coalesced } from "./coalesce.ts";
import type { Store } from "./db.ts";

// Safe because nothing here looks into it.
const aStore = () => ({}) as Store;

/** Statements that are answered when the test says so. */
function statements(options?: { bytesOf?: (ask: number) => number }) {
  const begun: { asks: readonly number[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const coalescing = coalesced(
    (_, asks: readonly number[]) =>
      new Promise<readonly string[]>((resolve, reject) => {
        begun.push({ asks, answer: () => resolve(asks.map((one) => `answer ${one}`)), fail: reject });
      }),
    options,
  );
  /** What no test waits for may fail after it. */
  const ask = (store: Store, one: number) => {
    const answer = coalescing(store, one);
    answer.catch(() => undefined);
    return answer;
  };
  return { begun, ask };
}

const failure = (code: string) => Object.assign(new Error(code), { code });

test("asks that arrive together are answered by one statement, each with its own answer", async () => {
  const { begun, ask } = statements();
  const store = aStore();
  const answers = Promise.all([ask(store, 1), ask(store, 2), ask(store, 3)]);
  await settled();
  expect(begun.map(({ asks }) => asks)).toEqual([[1, 2, 3]]);
  begun[0]?.answer();
  expect(await answers).toEqual(["answer 1", "answer 2", "answer 3"]);
});

test("an ask is never answered by a statement that began before it", async () => {
  const { begun, ask } = statements();
  const store = aStore();
  void ask(store, 1);
  await settled();
  void ask(store, 2);
  await settled();
  expect(begun.map(({ asks }) => asks)).toEqual([[1], [2]]);
});

test("while a statement answers more than a few the next is gathered, and begins when it is answered", async () => {
  const { begun, ask } = statements();
  const store = aStore();
  for (let one = 1; one <= 5; one += 1) void ask(store, one);
  await settled();
  for (const one of [6, 7]) {
    void ask(store, one);
    await settled();
  }
  expect(begun.map(({ asks }) => asks)).toEqual([[1, 2, 3, 4, 5]]);
  begun[0]?.answer();
  await settled();
  await settled();
  expect(begun.slice(1).map(({ asks }) => asks)).toEqual([[6, 7]]);
});

test("beside statements that answer a few others begin, three at once at most", async () => {
  const { begun, ask } = statements();
  const store = aStore();
  for (const one of [1, 2, 3, 4, 5]) {
    void ask(store, one);
    await settled();
  }
  expect(begun.map(({ asks }) => asks)).toEqual([[1], [2], [3]]);
  begun[0]?.answer();
  await settled();
  await settled();
  expect(begun.slice(3).map(({ asks }) => asks)).toEqual([[4, 5]]);
});

test("a statement that takes long holds up no other", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { begun, ask } = statements();
  const store = aStore();
  for (let one = 1; one <= 5; one += 1) void ask(store, one);
  await settled();
  for (const one of [6, 7]) void ask(store, one);
  await settled();
  expect(begun.map(({ asks }) => asks)).toEqual([[1, 2, 3, 4, 5]]);
  vi.advanceTimersByTime(60);
  await settled();
  expect(begun.slice(1).map(({ asks }) => asks)).toEqual([[6, 7]]);
});

test("while three statements take long, the next is gathered until one of them is answered", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { begun, ask } = statements();
  const store = aStore();
  for (let round = 0; round < 6; round += 1) {
    for (let one = 1; one <= 5; one += 1) void ask(store, one);
    await settled();
    vi.advanceTimersByTime(60);
    await settled();
  }
  expect(begun.map(({ asks }) => asks.length)).toEqual([5, 5, 5]);
  begun[0]?.answer();
  await settled();
  await settled();
  expect(begun.map(({ asks }) => asks.length)).toEqual([5, 5, 5, 15]);
});

test("a statement answers no more than 64 asks", async () => {
  const { begun, ask } = statements();
  const store = aStore();
  for (let one = 0; one < 150; one += 1) void ask(store, one);
  await settled();
  for (const _ of [1, 2]) {
    begun.at(-1)?.answer();
    await settled();
    await settled();
  }
  expect(begun.map(({ asks }) => asks.length)).toEqual([64, 64, 22]);
  expect(begun.flatMap(({ asks }) => asks)).toEqual(Array.from({ length: 150 }, (_, one) => one));
});

test("a statement takes no more than a mebibyte, unless one ask alone has more", async () => {
  const { begun, ask } = statements({ bytesOf: (bytes) => bytes });
  const store = aStore();
  for (const bytes of [600_000, 400_000, 48_577, 2_000_000, 1]) void ask(store, bytes);
  await settled();
  begun[0]?.answer();
  begun[1]?.answer();
  await settled();
  await settled();
  expect(begun.map(({ asks }) => asks)).toEqual([[600_000, 400_000], [48_577], [2_000_000], [1]]);
});

test("an ask that waited three seconds for its statement to begin fails", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { begun, ask } = statements();
  const store = aStore();
  for (let one = 1; one <= 5; one += 1) void ask(store, one);
  await settled();
  const late = ask(store, 6).catch((error: Error) => error.message);
  vi.advanceTimersByTime(2_000);
  void ask(store, 7);
  vi.advanceTimersByTime(1_001);
  begun[0]?.answer();
  expect(await late).toBe("The database was busy for too long.");
  expect(begun.map(({ asks }) => asks)).toEqual([[1, 2, 3, 4, 5], [7]]);
});

test("statements that are never answered give their places to others, and no ask waits longer than seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { begun, ask } = statements();
  const store = aStore();
  const stuck = Promise.allSettled([1, 2, 3].map((one) => ask(store, one)));
  await settled();
  for (const one of [4, 5]) {
    void ask(store, one);
    await settled();
  }
  const behind = Promise.allSettled([6, 7].map((one) => ask(store, one)));
  await settled();
  expect(begun.map(({ asks }) => asks)).toEqual([[1, 2, 3], [4], [5]].slice(0, begun.length));
  vi.advanceTimersByTime(1_600);
  await settled();
  expect(begun.flatMap(({ asks }) => asks)).toContain(7);
  begun.at(-1)?.answer();
  expect(await behind).toMatchObject([{ value: "answer 6" }, { value: "answer 7" }]);
  vi.advanceTimersByTime(6_500);
  expect(await stuck).toMatchObject(Array.from({ length: 3 }, () => ({ reason: { name: "DatabaseBusyError" } })));
});

test("where no place is ever free, whoever waits is told after three seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { begun, ask } = statements();
  const store = aStore();
  for (let round = 0; round < 9; round += 1) {
    for (let one = 1; one <= 5; one += 1) void ask(store, one);
    await settled();
    vi.advanceTimersByTime(600);
    await settled();
  }
  expect(begun).toHaveLength(9);
  const results = Promise.allSettled([ask(store, 6)]);
  await settled();
  vi.advanceTimersByTime(2_000);
  await settled();
  expect(begun).toHaveLength(9);
  vi.advanceTimersByTime(1_100);
  expect(await results).toMatchObject([{ reason: { name: "DatabaseBusyError" } }]);
});

test.each(["22021", "23514", "40P01", "55P03"])(
  "an ask that fails for what it holds or waits for fails alone, and holds up none: %s",
  async (code) => {
    const { begun, ask } = statements();
    const store = aStore();
    const answers = Promise.allSettled([ask(store, 1), ask(store, 2)]);
    await settled();
    begun[0]?.fail(failure(code));
    await settled();
    for (const one of [3, 4]) {
      void ask(store, one);
      await settled();
    }
    expect(begun.slice(1).map(({ asks }) => asks)).toEqual([[1], [2], [3], [4]]);
    begun[1]?.fail(failure(code));
    begun[2]?.answer();
    expect(await answers).toMatchObject([{ reason: { code } }, { value: "answer 2" }]);
    expect(begun).toHaveLength(5);
  },
);

test.each(["ECONNREFUSED", "57P01", "57014", "08006"])(
  "where the statement itself failed, all its asks fail and none is tried again: %s",
  async (code) => {
    const { begun, ask } = statements();
    const store = aStore();
    const answers = Promise.allSettled([ask(store, 1), ask(store, 2)]);
    await settled();
    begun[0]?.fail(failure(code));
    expect(await answers).toMatchObject([{ reason: { code } }, { reason: { code } }]);
    expect(begun).toHaveLength(1);
    void ask(store, 3);
    await settled();
    expect(begun[1]?.asks).toEqual([3]);
  },
);

test("two stores never share a statement", async () => {
  const { begun, ask } = statements();
  void ask(aStore(), 1);
  void ask(aStore(), 2);
  await settled();
  expect(begun.map(({ asks }) => asks)).toEqual([[1], [2]]);
});
