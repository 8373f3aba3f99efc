import { expect, test } from "vitest";
import { dayText, instantText, spanOf } from "./instant.ts";

const second = 1000;
const hour = 3600 * second;

test.each([
  [0, "0 s"],
  [59.4 * second, "59 s"],
  [59.6 * second, "1 min"],
  [-90 * second, "2 min"],
  [59.5 * 60 * second, "1 h"],
  [5.4 * hour, "5 h"],
  [47.4 * hour, "47 h"],
  [48 * hour, "2 days"],
  [72 * hour - 5 * second, "3 days"],
  [(13 * 24 + 21) * hour, "14 days"],
])("%d ms is %s", (ms, text) => {
  expect(spanOf(ms)).toBe(text);
});

test("an instant is written in the reader's zone, and says which", () => {
  const at = new Date("2026-11-20T20:02:11Z");
  expect(instantText(at, "clock", "America/Chicago")).toBe("2:02 PM CST");
  expect(instantText(at, "moment", "America/Chicago")).toBe("Nov 20, 2026, 2:02 PM CST");
  expect(instantText(at, "full", "UTC")).toBe("Nov 20, 2026, 8:02:11 PM UTC");
});

test("a calendar day is written as Americans do, and what is none stays as it is", () => {
  expect(dayText("1962-02-08")).toBe("02/08/1962");
  expect(dayText("open")).toBe("open");
});
