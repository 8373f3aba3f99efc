import { linesOfBusiness } from "#lib/messages/labels/lines-of-business";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clockOf, hasDeadline, type ClockFacts } from "./clock.ts";
import { decisionTimes } from "./decision-times.ts";

const zone = "America/New_York";
const facts = (more: Partial<ClockFacts>): ClockFacts => ({
  lineOfBusiness: "medicare-advantage",
  urgent: false,
  receivedAt: new Date("2026-11-20T15:00:00Z"),
  zone,
  now: new Date("2026-11-20T15:00:00Z"),
  ...more,
});
const at = (text: string) => new Date(text);

describe("when a decision is due", () => {
  test.each([
    // Seven calendar days after Friday, to the end of the next Friday.
    ["medicare-advantage", false, "2026-11-20T15:00:00Z", "2026-11-28T04:59:59.999Z"],
    ["medicaid-ffs", false, "2026-11-20T15:00:00Z", "2026-11-28T04:59:59.999Z"],
    ["medicaid-managed-care", false, "2026-11-20T15:00:00Z", "2026-11-28T04:59:59.999Z"],
    ["chip-ffs", false, "2026-11-20T15:00:00Z", "2026-11-28T04:59:59.999Z"],
    ["chip-managed-care", false, "2026-11-20T15:00:00Z", "2026-11-28T04:59:59.999Z"],
    ["qhp-ffe", false, "2026-11-20T15:00:00Z", "2026-12-06T04:59:59.999Z"],
    ["group-health-plan", false, "2026-11-20T15:00:00Z", "2026-12-06T04:59:59.999Z"],
    // 72 hours are hours: nights and weekends count.
    ["medicare-advantage", true, "2026-11-20T15:00:00Z", "2026-11-23T15:00:00.000Z"],
    ["qhp-ffe", true, "2026-11-20T15:00:00Z", "2026-11-23T15:00:00.000Z"],
    // Received a minute before midnight, that day is still the day of receipt.
    ["medicare-advantage", false, "2026-11-21T04:59:00Z", "2026-11-28T04:59:59.999Z"],
    ["medicare-advantage", false, "2026-11-21T05:00:00Z", "2026-11-29T04:59:59.999Z"],
    // When clocks go back, a week of days has an hour more; 72 hours have not.
    ["medicare-advantage", false, "2026-10-30T15:00:00Z", "2026-11-07T04:59:59.999Z"],
    ["medicare-advantage", true, "2026-10-30T15:00:00Z", "2026-11-02T15:00:00.000Z"],
    ["medicare-advantage", false, "2026-03-06T15:00:00Z", "2026-03-14T03:59:59.999Z"],
    // Over a 29 February, and over the end of a year.
    ["medicare-advantage", false, "2028-02-24T15:00:00Z", "2028-03-03T04:59:59.999Z"],
    ["medicare-advantage", false, "2026-12-28T15:00:00Z", "2027-01-05T04:59:59.999Z"],
    // The rule is the one of the day of receipt, in the zone: 31 December 2025 in New York still has fourteen days.
    ["medicare-advantage", false, "2026-01-01T04:59:59Z", "2026-01-15T04:59:59.999Z"],
    ["medicare-advantage", false, "2026-01-01T05:00:00Z", "2026-01-09T04:59:59.999Z"],
  ] as const)("%s, urgent %s, received %s: %s", (lineOfBusiness, urgent, receivedAt, due) => {
    const clock = clockOf(facts({ lineOfBusiness, urgent, receivedAt: at(receivedAt) }));
    expect(clock).toMatchObject({ known: true, dueAt: at(due) });
  });

  test.each([undefined, "unknown", "medicare", "toString"])(
    "%s is a line of business without a known time",
    (lineOfBusiness) => {
      expect(clockOf(facts({ lineOfBusiness }))).toEqual({ known: false });
    },
  );

  test.each([
    // It has 72 hours from when the payer received the update that made it urgent,
    ["2026-11-23T09:00:00Z", "2026-11-26T09:00:00.000Z", "expedited"],
    // and no more than it had before.
    ["2026-11-27T09:00:00Z", "2026-11-28T04:59:59.999Z", "standard"],
  ])("made urgent on %s by an update: %s, %s", (urgentAt, due, urgency) => {
    const clock = clockOf(facts({ urgent: true, receivedAt: at("2026-11-20T15:00:00Z"), urgentAt: at(urgentAt) }));
    expect(clock).toMatchObject({ known: true, dueAt: at(due), rule: { urgency } });
  });

  test("a day before any listed rule has no known time", () => {
    const receivedAt = at("2025-06-01T12:00:00Z");
    expect(clockOf(facts({ lineOfBusiness: "medicaid-ffs", receivedAt }))).toEqual({ known: false });
  });
});

describe("overdue", () => {
  const receivedAt = at("2026-11-20T15:00:00Z");
  const due = at("2026-11-23T15:00:00Z");
  const after = (ms: number) => new Date(due.getTime() + ms);

  test.each([
    [-1, false],
    [0, false],
    [1, true],
  ])("%i ms after the last instant in time is %s", (ms, overdue) => {
    expect(clockOf(facts({ urgent: true, receivedAt, now: after(ms) }))).toMatchObject({
      overdue,
      remainingMs: 0 - ms,
    });
  });

  test("is for ever what it was when the payer decided", () => {
    const now = at("2027-06-01T00:00:00Z");
    expect(clockOf(facts({ urgent: true, receivedAt, stoppedAt: after(-1), now }))).toMatchObject({ overdue: false });
    expect(clockOf(facts({ urgent: true, receivedAt, stoppedAt: after(1), now }))).toMatchObject({ overdue: true });
  });

  test("once said is never taken back while time goes on", () => {
    const lines = Object.keys(linesOfBusiness);
    const instant = fc.date({ min: at("2019-01-01"), max: at("2035-01-01"), noInvalidDate: true });
    const zones = fc.constantFrom("UTC", "America/New_York", "America/Denver", "Pacific/Honolulu", "Asia/Kolkata");
    const moments = fc.record({
      lineOfBusiness: fc.constantFrom(...lines),
      urgent: fc.boolean(),
      receivedAt: instant,
      zone: zones,
    });
    fc.assert(
      fc.property(moments, instant, fc.nat(40 * 24 * 3600 * 1000), (of, now, laterMs) => {
        const first = clockOf({ ...of, now });
        const later = clockOf({ ...of, now: new Date(now.getTime() + laterMs) });
        expect(later.known).toBe(first.known);
        if (!first.known || !later.known) return;
        expect(later.dueAt).toEqual(first.dueAt);
        expect(later.remainingMs).toBe(first.remainingMs - laterMs);
        expect(!first.overdue || later.overdue).toBe(true);
        const days = (first.dueAt.getTime() - of.receivedAt.getTime()) / (24 * 3600 * 1000);
        const { within } = first.rule;
        if ("hours" in within) expect(days * 24).toBe(within.hours);
        else {
          expect(days).toBeGreaterThan(within.calendarDays - 0.05);
          expect(days).toBeLessThan(within.calendarDays + 1.05);
        }
      }),
    );
  });
});

describe("the rules", () => {
  test("are dated, and no two of one line and urgency hold on one day", () => {
    for (const row of decisionTimes) {
      expect(row.from).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect((row.to ?? "9999-12-31") > row.from).toBe(true);
      const others = decisionTimes.filter(
        (other) => other !== row && other.lineOfBusiness === row.lineOfBusiness && other.urgency === row.urgency,
      );
      for (const other of others) {
        expect(other.from > (row.to ?? "9999-12-31") || (other.to ?? "9999-12-31") < row.from).toBe(true);
      }
    }
  });

  test("cover both urgencies of every line today", () => {
    for (const lineOfBusiness of Object.keys(linesOfBusiness)) {
      for (const urgent of [true, false]) {
        expect(clockOf(facts({ lineOfBusiness, urgent })).known).toBe(lineOfBusiness !== "unknown");
        expect(hasDeadline(lineOfBusiness)).toBe(lineOfBusiness !== "unknown");
      }
    }
  });
});
