import { version, validate } from "uuid";
import { expect, onTestFinished, test, vi } from "vitest";
import { newId } from "./new-id.ts";

test("ids are UUIDs of version 7, and no two are the same", () => {
  const ids = Array.from({ length: 10_000 }, newId);
  for (const id of ids) expect([validate(id), version(id)]).toEqual([true, 7]);
  expect(new Set(ids).size).toBe(ids.length);
});

test("an id names the cell it was made in", () => {
  expect(new Set(Array.from({ length: 100 }, () => newId().slice(14, 18)))).toEqual(new Set(["7000"]));
});

test("a later id sorts behind an earlier one", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  // The third is RFC 9562's own example, in A.6.
  const times = [0, 1, Date.UTC(2022, 1, 22, 19, 22, 22), Date.UTC(2022, 1, 22, 19, 22, 22, 1), Date.UTC(9999, 0)];
  const ids = times.map((time) => {
    vi.setSystemTime(time);
    return newId();
  });
  expect(ids.toSorted()).toEqual(ids);
  expect(ids[2]).toMatch(/^017f22e2-79b0-7/);
});
