import { expect, test } from "vitest";
import { datedText, dayText, differenceText, valueText } from "./value-text.ts";

const share = (part: number, of: number) => ({ kind: "share", share: { part, of } }) as const;

test("a share is never shown without what it is a share of, nor one of nothing as a number", () => {
  expect(valueText(share(8, 15))).toBe("53% (8 of 15)");
  expect(valueText(share(0, 1_200))).toBe("0% (0 of 1,200)");
  expect(valueText(share(0, 0))).toBe("–");
  expect(differenceText(share(8, 15), share(1, 3))).toBe("up from 33% (1 of 3)");
  expect(differenceText(share(8, 15), share(0, 0))).toBeUndefined();
});

test("a day on paper has its year, and one in a chart only where it is of another year", () => {
  expect(datedText("2026-11-29")).toBe("Nov 29, 2026");
  expect([dayText("2026-11-29", "2026"), dayText("2025-11-29", "2026")]).toEqual(["Nov 29", "Nov 29, 2025"]);
});
