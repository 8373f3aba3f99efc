import { describe, expect, test } from "vitest";
import { addedSince, percentUsed, isPartlyAuthorized, progressOf } from "./authorization-progress.ts";
import type { DeterminationLine } from "./determination.ts";

const requested = { code: "99223", quantity: 6, unit: "DY" };

const line = (members: Partial<DeterminationLine>): DeterminationLine => ({
  ...{ sequence: 1, action: "A6", requested: requested, reasons: [] },
  ...members,
});
const given = (quantity: number, unit?: string) => line({ authorized: { quantity, unit } });

describe("how far a line is authorized", () => {
  test.each([
    ["days so far", given(4, "DY"), [4, 2]],
    ["a quantity without its unit", given(4), [4, 2]],
    ["everything that was asked", line({ action: "A1" }), [6, 0]],
    ["more than was asked", given(8, "DY"), [8, 0]],
    ["nothing", line({ action: "A3" }), [0, 6]],
  ])("is told of %s", (_, of, [authorized, remaining]) => {
    expect(progressOf([of])).toEqual([{ sequence: 1, unit: "DY", requested: 6, authorized, remaining }]);
  });

  test.each([
    ["another unit than was asked", given(2, "VS")],
    ["a part of unknown size", line({ action: "A2", authorized: {} })],
    ["a line that asked for no quantity", line({ requested: { code: "99223" }, authorized: { quantity: 2 } })],
    ["a line that needs no certification", line({ action: "NA" })],
  ])("is not told of %s", (_, of) => {
    expect(progressOf([of])).toEqual([]);
  });

  test("is partly authorized between nothing and all", () => {
    const parts = [line({ action: "A3" }), given(2), line({ action: "A1" })].flatMap((one) => progressOf([one]));
    expect(parts.map(isPartlyAuthorized)).toEqual([false, true, false]);
  });
});

test("what is left, added and used of parts of a unit is exact", () => {
  const of = (requested: number, authorized: number) =>
    line({ action: "A6", requested: { quantity: requested, unit: "HR" }, authorized: { quantity: authorized } });
  expect(progressOf([of(1.3, 1.1)])[0]?.remaining).toBe(0.2);
  expect(addedSince([of(2, 1.1)], [of(2, 1.3)])[0]?.added).toBe(0.2);
  const used = (quantity: number, units: number) => percentUsed([of(9, quantity)], [{ sequence: 1, used: units }]);
  expect([used(0.17, 0.17), used(1.36, 1.36), used(2.72, 2.72), used(99_999, 99_998.999)]).toEqual([100, 100, 100, 99]);
});

test("each determination says what it added to the one before, and what it took back", () => {
  const steps = [[line({ action: "A3" })], [given(2)], [given(4)], [line({ action: "A1" })], [given(5)]];
  const added = steps.slice(1).map((lines, index) => addedSince(steps[index] ?? [], lines)[0]?.added);
  expect(added).toEqual([2, 2, 2, -1]);
  expect(addedSince([given(2)], [given(2)])).toEqual([]);
});
