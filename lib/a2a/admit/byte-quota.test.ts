import { expect, test } from "vitest";
import { edgeDeps } from "#test/support/agents/edge";
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

test("a message that is turned away for want of room uses nothing of the quota, at its entry or later", async () => {
  const { load } = edgeDeps(undefined, { inFlightMax: 1, bytesPerDay: 1_000 });
  const enter = async (bytes: number) => load.enter("a", {}, bytes);
  const leaveOf = (entered: Awaited<ReturnType<typeof enter>>) => ("leave" in entered ? entered.leave : undefined);
  const poll = await enter(0);
  expect(await enter(1_000)).toEqual({ full: "busy", retryAfterS: 1 });
  leaveOf(poll)?.();
  leaveOf(await enter(1_000))?.(true);
  leaveOf(await enter(1_000))?.();
  expect(await enter(1_000)).toMatchObject({ full: "rate-exceeded" });
  expect(await enter(0)).toHaveProperty("leave");
});
