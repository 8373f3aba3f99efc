import { expect, test } from "vitest";
import { dayIn, endOfDay, instantIn, localIn } from "./zoned-time.ts";

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
  ["UTC", "2026-11-20T14:02:59.999Z", "2026-11-20T14:02"],
  ["America/Chicago", "2026-11-20T20:02:00.000Z", "2026-11-20T14:02"],
  ["Asia/Kolkata", "2025-12-31T23:30:00.000Z", "2026-01-01T05:00"],
])("in %s, clocks show %s as %s, and it is read back as that minute", (zone, instant, local) => {
  expect(localIn(zone, new Date(instant))).toBe(local);
  expect(instantIn(zone, local)?.toISOString().slice(0, 16)).toBe(instant.slice(0, 16));
});

test.each([
  ["UTC", "yesterday"],
  ["UTC", "2026-13-40T14:02"],
  ["Mars/Olympus", "2026-11-20T14:02"],
])("in %s, %s is no instant", (zone, local) => {
  expect(instantIn(zone, local)).toBeUndefined();
});

test.each([
  ["UTC", "2026-11-20T23:59:59.999Z", "2026-11-20"],
  ["America/New_York", "2026-11-21T04:59:59.999Z", "2026-11-20"],
  ["America/New_York", "2026-11-21T05:00:00.000Z", "2026-11-21"],
  ["Asia/Kolkata", "2025-12-31T18:30:00.000Z", "2026-01-01"],
])("in %s, %s is on %s", (zone, instant, day) => {
  expect(dayIn(zone, new Date(instant))).toBe(day);
});

test.each([
  ["UTC", "2026-11-20", 0, "2026-11-20T23:59:59.999Z"],
  ["America/Chicago", "2026-12-28", 7, "2027-01-05T05:59:59.999Z"],
  // The clocks go back on 1 November 2026 and forward on 8 March 2026.
  ["America/New_York", "2026-10-28", 7, "2026-11-05T04:59:59.999Z"],
  ["America/New_York", "2026-03-05", 7, "2026-03-13T03:59:59.999Z"],
  ["America/New_York", "2026-10-25", 7, "2026-11-02T04:59:59.999Z"],
  // 2028 has a 29 February, 2026 has none.
  ["UTC", "2028-02-24", 7, "2028-03-02T23:59:59.999Z"],
  ["UTC", "2026-02-24", 7, "2026-03-03T23:59:59.999Z"],
])("in %s, %s and %i days ends at %s", (zone, day, days, instant) => {
  expect(endOfDay(zone, day, days)).toEqual(new Date(instant));
});
