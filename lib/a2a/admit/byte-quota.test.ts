import { expect, test } from "vitest";
import { createByteQuota } from "./load.ts";

const hourMs = 3_600_000;

test("each channel may use the quota of a day at once, and it refills over a day", () => {
  let nowMs = 0;
  const maySend = createByteQuota(2_400, () => nowMs);
  expect(maySend("a", 2_400)).toBe(0);
  expect(maySend("a", 100)).toBe(hourMs);
  expect(maySend("b", 100)).toBe(0);
  nowMs = hourMs;
  expect(maySend("a", 100)).toBe(0);
  expect(maySend("a", 1)).toBe(hourMs / 100);
  nowMs = 100 * hourMs;
  expect(maySend("a", 2_401)).toBeGreaterThan(0);
  expect(maySend("a", 2_400)).toBe(0);
});
