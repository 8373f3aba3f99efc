import { expect, test } from "vitest";
import { areaAmongNeighbours, areaUnderCurve } from "./auc.ts";

test("times of one kind tell nothing, and times that never meet tell all", () => {
  expect(areaUnderCurve([1, 2, 3], [1, 2, 3])).toBe(0.5);
  expect(areaUnderCurve([4, 5, 6], [1, 2, 3])).toBe(1);
  expect(areaUnderCurve([1, 2, 3], [4, 5, 6])).toBe(0);
});

test("it is the share of pairs in which the first is longer, equal ones counted half", () => {
  // Of (2,1) (2,2) (4,1) (4,2): longer, equal, longer, longer.
  expect(areaUnderCurve([2, 4], [1, 2])).toBe(0.875);
  expect(areaUnderCurve([7], [7, 7, 9])).toBeCloseTo(1 / 3);
});

test("among neighbours a small difference shows, however much the machine slows down meanwhile", () => {
  // Ten and ten that differ by 1, slower by 100 each time.
  const right = Array.from({ length: 200 }, (_, index) => Math.floor(index / 10) * 100);
  const left = right.map((time) => time + 1);
  expect(areaUnderCurve(left, right)).toBeCloseTo(0.5, 1);
  expect(areaAmongNeighbours(left, right)).toBe(1);
  expect(areaAmongNeighbours(right, right)).toBe(0.5);
});
