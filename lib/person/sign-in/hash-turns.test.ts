import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { inTurn, type Lane } from "./hash-turns.ts";

const atOnce = Math.max(1, Math.floor(availableParallelism() / 2));

/** Work that goes on until it is told to end. */
function held(lane: Lane, count: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, (running += 1));
    await promise;
    running -= 1;
  };
  const all = Array.from({ length: count }, () => inTurn(lane, work));
  return { end: resolve, results: () => Promise.all(all), most: () => most };
}

test("a limited number hash and wait, and later callers are refused at once", async () => {
  const { end, results, most } = held("anybody", atOnce + 40);
  let done = false;
  expect(await inTurn("anybody", async () => (done = true))).toEqual({ ok: false, refusal: "busy" });
  end();
  const all = await results();
  expect(all.filter(({ ok }) => ok)).toHaveLength(atOnce + 32);
  expect([most(), done]).toEqual([atOnce, false]);
  expect(await inTurn("anybody", async () => 7)).toEqual({ ok: true, value: 7 });
});

test("known people never wait for strangers", async () => {
  const strangers = held("anybody", atOnce + 40);
  expect(await inTurn("known", async () => "mine")).toEqual({ ok: true, value: "mine" });
  strangers.end();
  await strangers.results();
});

test("work that throws passes its turn on", async () => {
  const broken = Array.from({ length: atOnce + 5 }, () =>
    inTurn("anybody", () => Promise.reject(new Error("broken"))).catch(() => "thrown"),
  );
  expect(new Set(await Promise.all(broken))).toEqual(new Set(["thrown"]));
  expect(await inTurn("anybody", async () => 7)).toEqual({ ok: true, value: 7 });
});
