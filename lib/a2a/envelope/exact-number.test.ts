import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fractionOf } from "#test/support/agents/exact";
import { isExact } from "./inspect.ts";

describe("a number is exact", () => {
  test.each([
    "0",
    "1",
    "-1",
    "1.0",
    "1.50",
    "100",
    "1e2",
    "1E+2",
    "1e-2",
    "0.1",
    "0.0",
    "123456789012345",
    "9007199254740991",
    "9007199254740992",
    "1e308",
    "5e-324",
    "0.30000000000000004",
    "1e21",
    "0e99999",
  ])("%s", (source) => {
    expect(isExact(source)).toBe(true);
  });

  test.each([
    "9007199254740993",
    "1.00000000000000000001",
    "1e400",
    "-1e400",
    "1e-400",
    "0.1000000000000000055511151231257827",
    "123123e100000",
    "-0",
    "-0.0",
    "-0e1",
    "9007199254740993e-1",
    "1e99999999999999999999",
  ])("not %s", (source) => {
    expect(isExact(source)).toBe(false);
  });

  test("whenever JavaScript wrote it", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(isExact(JSON.stringify(value))).toBe(true);
      }),
    );
  });

  test("exactly when its value is that of the double's shortest form", () => {
    const digits = fc.stringMatching(/^[1-9]\d{0,24}$/);
    const source = fc
      .tuple(
        fc.boolean(),
        digits,
        fc.option(fc.stringMatching(/^\d{1,12}$/)),
        fc.option(fc.integer({ min: -30, max: 30 })),
      )
      .map(
        ([negative, whole, fraction, power]) =>
          `${negative ? "-" : ""}${whole}${fraction === null ? "" : `.${fraction}`}${power === null ? "" : `e${power}`}`,
      );
    fc.assert(
      fc.property(source, (text) => {
        expect(isExact(text)).toBe(fractionOf(text) === fractionOf(String(Number(text))));
      }),
      { numRuns: 2_000 },
    );
  });

  test("or not, decided in time linear in its length", () => {
    expect(isExact(`1${"0".repeat(1_000_000)}1`)).toBe(false);
    expect(isExact(`0.${"0".repeat(1_000_000)}1`)).toBe(false);
    expect(isExact(`0.${"0".repeat(1_000_000)}`)).toBe(true);
  });
});
