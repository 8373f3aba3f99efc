import fc from "fast-check";
import { expect, test } from "vitest";
import { allOf, spanAt } from "./span-classes.ts";

/** As `classInSql` says it. */
const classOf = (seconds: number) =>
  seconds < 60 ? 0 : Math.min(79, 1 + Math.floor(Math.log(seconds / 60) / Math.log(1.17)));

function countsOf(spans: readonly number[]): ReadonlyMap<number, number> {
  return allOf(spans.map((span) => new Map([[classOf(span), 1]])));
}

test("a median and a 90th percentile read back from classes are within a class of the exact one", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 60, max: 8_000_000 }), { minLength: 1, maxLength: 400 }),
      fc.constantFrom(0.5, 0.9),
      (spans, part) => {
        const sorted = spans.toSorted((one, other) => one - other);
        const place = part * (sorted.length - 1);
        const [low = 0, high = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
        const exact = low + (high - low) * (place % 1);
        const read = spanAt(countsOf(spans), part) ?? 0;
        expect(Math.abs(Math.log(read / exact))).toBeLessThanOrEqual(Math.log(1.17) + 1e-9);
      },
    ),
  );
});

test("without spans there is neither", () => {
  expect(spanAt(new Map(), 0.5)).toBeNull();
});
