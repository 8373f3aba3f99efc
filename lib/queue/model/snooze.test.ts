import { expect, test } from "vitest";
import { wakesAt, type SnoozeInput } from "./snooze.ts";

const zone = "America/Chicago";
/** A Wednesday, 10:30 in Chicago. */
const now = new Date("2026-11-25T16:30:00Z");
const wakes = (snooze: Partial<SnoozeInput>, ...deadlines: string[]) => {
  const at = wakesAt(
    { choice: "4-hours", zone, ...snooze },
    { now, deadlines: deadlines.map((text) => new Date(text)) },
  );
  return typeof at === "string" ? at : at.toISOString();
};

test.each([
  [{ choice: "4-hours" }, "2026-11-25T20:30:00.000Z"],
  [{ choice: "24-hours" }, "2026-11-26T16:30:00.000Z"],
  [{ choice: "tomorrow" }, "2026-11-26T14:00:00.000Z"],
  [{ choice: "monday" }, "2026-11-30T14:00:00.000Z"],
  [{ choice: "payer" }, "2026-12-02T16:30:00.000Z"],
  [{ choice: "agent" }, "2026-12-02T16:30:00.000Z"],
  [{ choice: "at", at: "2026-11-27T09:15" }, "2026-11-27T15:15:00.000Z"],
] as const)("a case asked to rest until %o wakes at that time on the clocks of the reader", (snooze, expected) => {
  expect(wakes(snooze)).toBe(expected);
});

test("on a Monday the next Monday is a week away", () => {
  const monday = new Date("2026-11-30T16:30:00Z");
  expect(wakesAt({ choice: "monday", zone }, { now: monday, deadlines: [] })).toEqual(new Date("2026-12-07T14:00:00Z"));
});

test("a case wakes four hours before the first of its deadlines, whatever was asked", () => {
  expect(wakes({ choice: "monday" }, "2026-11-28T12:00:00Z", "2026-11-27T00:00:00Z")).toBe("2026-11-26T20:00:00.000Z");
  expect(wakes({ choice: "payer" }, "2026-11-28T12:00:00Z")).toBe("2026-11-28T08:00:00.000Z");
});

test("a case with a deadline within four hours is not put off", () => {
  expect(wakes({ choice: "tomorrow" }, "2026-11-25T20:30:00Z")).toBe("near");
  expect(wakes({ choice: "tomorrow" }, "2026-11-25T20:30:01Z")).toBe("2026-11-25T16:30:01.000Z");
});

test("a case that is late already rests for a day at most", () => {
  expect(wakes({ choice: "monday" }, "2026-11-25T09:00:00Z")).toBe("2026-11-26T16:30:00.000Z");
});

test.each([undefined, "", "tomorrow", "2026-11-25T10:29", "2026-12-26T10:00"])(
  "no time, one that is past, or one over thirty days away is refused: %s",
  (at) => expect(wakes({ choice: "at", at })).toBe("invalid"),
);
