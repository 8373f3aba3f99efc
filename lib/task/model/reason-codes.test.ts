import { expect, test } from "vitest";
import { reasonCodes, type ReviewAction } from "./determination.ts";

test("reason codes are those of every line that was not approved as requested, in part also, each once", () => {
  const line = (action: ReviewAction, ...reasons: string[]) => ({ sequence: 1, action, reasons });
  const lines = [line("A1", "01"), line("A2", "0p", "no code"), line("A3", "35", "0P"), line("A6", "36")];
  expect(reasonCodes({ lines })).toEqual(["0P", "35", "36"]);
});
