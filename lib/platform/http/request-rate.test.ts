import { expect, test } from "vitest";
import { createRequestRate } from "./request-rate.ts";

test("a subject has its burst, then its rate, and is told how long until there is more", () => {
  const rate = createRequestRate({ perSecond: 10, burstS: 2, onRefused: () => undefined });
  const take = (now: number, cost = 1) => rate.take("one", cost, now);
  expect(Array.from({ length: 20 }, () => take(0)).every((wait) => wait === 0)).toBe(true);
  expect(take(0)).toBe(1);
  expect(take(0, 50)).toBe(5);
  expect([take(100), take(100)]).toEqual([0, 1]);
  expect(rate.take("other", 1, 100)).toBe(0);
  expect(Array.from({ length: 21 }, () => take(60_000)).filter((wait) => wait > 0)).toHaveLength(1);
});

test("however much is refused, it is told once a minute, with how much it was", () => {
  const reported: number[] = [];
  const rate = createRequestRate({ perSecond: 1, burstS: 1, onRefused: ({ count }) => reported.push(count) });
  for (let n = 0; n < 1_001; n += 1) rate.take("one", 1, 500);
  expect(reported).toEqual([1]);
  for (let n = 0; n < 3; n += 1) rate.take("one", 1, 60_600);
  expect(reported).toEqual([1, 1_000]);
});

test("whoever was here longest ago is forgotten first, so that memory has an end", () => {
  const rate = createRequestRate({ perSecond: 1, burstS: 1, onRefused: () => undefined });
  expect([rate.take("first", 1, 0), rate.take("second", 1, 0)]).toEqual([0, 0]);
  expect(rate.take("first", 1, 0)).toBe(1);
  for (let n = 0; n < 19_999; n += 1) rate.take(`${n}`, 1, 0);
  expect(rate.take("first", 1, 0)).toBe(1);
  expect(rate.take("second", 1, 0)).toBe(0);
});
