import { expect, onTestFinished, test, vi } from "vitest";
import type { Trips } from "./plain-transaction.ts";
import { GoesAlone, seating } from "./shared-trips.ts";

test("one that never ends holds the others for ten seconds at most, who then go alone", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  // Safe because nobody asks for anything.
  const { seat, settled } = seating({} as Trips);
  seat("one");
  seat("other").leave();
  const [[ended]] = await Promise.all([Promise.allSettled([settled]), vi.advanceTimersByTimeAsync(10_000)]);
  expect(ended).toMatchObject({ status: "rejected", reason: expect.any(GoesAlone) });
});
