import { afterEach, expect, test, vi } from "vitest";
import { ageIn } from "./review-text.ts";

afterEach(() => void vi.useRealTimers());

test("a patient is a year older when the day begins at the practice, and a month old in the singular", () => {
  vi.useFakeTimers({ now: new Date("2026-11-28T02:00:00Z") });
  expect([ageIn("1979-11-28", "America/Chicago"), ageIn("1979-11-28", "UTC")]).toEqual(["46 years", "47 years"]);
  expect([ageIn("2026-10-28", "UTC"), ageIn("2026-09-28", "UTC"), ageIn("2026-11-20", "UTC")]).toEqual([
    "1 month",
    "2 months",
    "0 months",
  ]);
});
