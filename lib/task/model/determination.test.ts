import { expect, test } from "vitest";
import { reviewActionCodes, verdictOf } from "./determination.ts";

const decisions = ["A1", "A2", "A3", "A6", "NA"];

test.each(reviewActionCodes.filter((code) => !decisions.includes(code)))(
  "lines of which one is answered %s are never decided",
  (code) => {
    for (const other of reviewActionCodes) expect(verdictOf([other, code]).type).not.toBe("final");
  },
);

test("lines that are all decided have one outcome", () => {
  expect(verdictOf(["A1", "A3"])).toEqual({ type: "final", outcome: "partially-approved" });
  expect(verdictOf(["A1", "A6"])).toEqual({ type: "final", outcome: "modified" });
  expect(verdictOf(["A1", "NA"])).toEqual({ type: "final", outcome: "approved" });
});
