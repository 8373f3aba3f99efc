import { expect, test } from "vitest";
import { pollAfterSeconds } from "./task-text.ts";

const changedAt = new Date("2026-11-20T12:00:00.000Z");
const after = (seconds: number) => new Date(changedAt.getTime() + seconds * 1_000);

test("a poll is worth its while ever later the longer nothing changed, within what is usual for whoever moves", () => {
  expect([0, 50, 3_600].map((age) => pollAfterSeconds("service", changedAt, after(age)))).toEqual([1, 5, 10]);
  expect([0, 300, 3_600].map((age) => pollAfterSeconds("reviewer", changedAt, after(age)))).toEqual([10, 30, 60]);
  expect([0, 1_000, 86_400].map((age) => pollAfterSeconds("payer", changedAt, after(age)))).toEqual([30, 100, 300]);
});

test("where nothing moves, none is", () => {
  expect(pollAfterSeconds("none", changedAt, after(10))).toBeUndefined();
});

test("a clock that runs behind asks for no poll sooner", () => {
  expect(pollAfterSeconds("service", changedAt, after(-60))).toBe(1);
});
