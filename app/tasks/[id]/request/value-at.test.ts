import { expect, test } from "vitest";
import { valueAt } from "./value-at.ts";

const review = { patient: { mood: "good", "a/b": 1, "m~n": 2 }, procedures: [{ code: "72148" }] };

test.each([
  ["/patient/mood", "good"],
  ["/procedures/0/code", "72148"],
  ["/patient/a~1b", 1],
  ["/patient/m~0n", 2],
  ["/nothing/here", undefined],
  ["/patient/__proto__", undefined],
  ["/patient/mood/length", undefined],
])("%s names %j", (pointer, value) => {
  expect(valueAt(review, pointer)).toEqual(value);
});
