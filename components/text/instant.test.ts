import { expect, test } from "vitest";
import { instantText, spanOf } from "./instant.tsx";

const second = 1000;
const hour = 3600 * second;

test.each([
  [0, "0 s"],
  [59 * second, "59 s"],
  [60 * second, "1 min"],
  [-90 * second, "1 min"],
  [47 * hour, "47 h"],
  [48 * hour, "2 d"],
])("%d ms is %s", (ms, text) => {
  expect(spanOf(ms)).toBe(text);
});

test("an instant is written in the reader's zone, and says which", () => {
  const at = new Date("2026-11-20T20:02:11Z");
  expect(instantText(at, "clock", "America/Chicago")).toBe("14:02:11 CST");
  expect(instantText(at, "full", "UTC")).toBe("Nov 20, 2026, 20:02:11 UTC");
});
