import { expect, test } from "vitest";
import { instantIn } from "./instant-in.ts";

test.each([
  ["UTC", "2026-11-20T14:02", "2026-11-20T14:02:00.000Z"],
  ["America/Chicago", "2026-11-20T14:02", "2026-11-20T20:02:00.000Z"],
  ["America/Chicago", "2026-07-01T00:30", "2026-07-01T05:30:00.000Z"],
  ["Asia/Kolkata", "2026-01-01T05:00", "2025-12-31T23:30:00.000Z"],
  // The hour after the clocks went back.
  ["America/New_York", "2026-11-01T02:30", "2026-11-01T07:30:00.000Z"],
])("in %s, %s is %s", (zone, local, instant) => {
  expect(instantIn(zone, local)).toEqual(new Date(instant));
});

test.each([
  ["UTC", "yesterday"],
  ["UTC", "2026-13-40T14:02"],
  ["Mars/Olympus", "2026-11-20T14:02"],
])("in %s, %s is no instant", (zone, local) => {
  expect(instantIn(zone, local)).toBe("");
});
