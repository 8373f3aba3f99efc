import { describe, expect, test } from "vitest";
import { createKeySets } from "./key-sets.ts";

describe("published keys", () => {
  const keys = (kid: string) => ({ ok: true, keys: { keys: [{ kid }] }, keptMs: 600_000 }) as never;

  test("are cached as long as their response says and no longer, even when a fetch then fails", async () => {
    const [clock, fetches] = [{ now: 1_000_000 }, { times: 0 }];
    const gone = { ok: false, problem: "gave no keys" } as const;
    const fetchKeys = async () => ((fetches.times += 1) === 1 ? keys("a") : gone);
    const sets = createKeySets({ now: () => clock.now, fetchKeys });
    expect(await sets.keysAt("u", "a")).toHaveLength(1);
    clock.now += 599_999;
    expect(await sets.keysAt("u", "a")).toHaveLength(1);
    clock.now += 2;
    expect(await sets.keysAt("u", "a")).toEqual([]);
    expect(await sets.keysAt("u", "a")).toEqual([]);
    expect(fetches.times).toBe(2);
  });

  test("are fetched again for an unknown key, once a minute for all callers", async () => {
    const [clock, fetches] = [{ now: 1_000_000 }, { times: 0 }];
    const sets = createKeySets({
      now: () => clock.now,
      fetchKeys: async () => keys((fetches.times += 1) === 1 ? "a" : "b"),
    });
    await sets.keysAt("u", "a");
    await Promise.all(Array.from({ length: 20 }, () => sets.keysAt("u", "b")));
    expect(fetches.times).toBe(1);
    clock.now += 60_000;
    const found = await Promise.all(Array.from({ length: 20 }, () => sets.keysAt("u", "b")));
    expect([fetches.times, found.every((set) => set.length === 1)]).toEqual([2, true]);
  });
});
