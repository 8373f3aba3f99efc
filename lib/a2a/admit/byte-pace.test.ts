import { expect, test } from "vitest";
import { longBodies } from "./limits.ts";
import { createBytePace } from "./load.ts";

test("the bytes of a channel are let in at once up to a burst, then in turn at its pace; other channels are not affected", () => {
  let nowMs = 0;
  const turnOf = createBytePace({ burstBytes: 100, bytesPerSecond: 10, waitMs: 15_000 }, () => nowMs);
  expect(turnOf("a", 60)).toBe(0);
  // What is over the burst is waited for by the next.
  expect(turnOf("a", 60)).toBe(0);
  expect(turnOf("a", 60)).toBe(2_000);
  expect(turnOf("a", 60)).toBe(8_000);
  expect(turnOf("a", 60)).toBe(14_000);
  expect(turnOf("a", 60)).toBeUndefined();
  expect(turnOf("b", 60)).toBe(0);
  nowMs = 20_000;
  expect(turnOf("a", 60)).toBe(0);
  expect(turnOf("a", 60)).toBe(6_000);
  nowMs = 1_000_000;
  expect([turnOf("a", 100), turnOf("a", 1), turnOf("a", 1)]).toEqual([0, 0, 100]);
});

test("a dozen messages with a large file each are let in at once", () => {
  const turnOf = createBytePace(longBodies.pace, () => 0);
  expect(Array.from({ length: 12 }, () => turnOf("a", 6_700_000))).toEqual(Array(12).fill(0));
});
