import { expect, test } from "vitest";
import { createSentBytes } from "./sent-bytes.ts";

const hourMs = 3_600_000;

test("a channel has a day's worth at once, another its own, and what was used comes back over a day", () => {
  let nowMs = 0;
  const maySend = createSentBytes(2_400, () => nowMs);
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
