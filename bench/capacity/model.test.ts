import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inputs } from "./inputs.ts";
import { capacityFor, given } from "./model.ts";

test("every measured input stands in the page that it names", () => {
  const measured = Object.values(inputs).flatMap(({ source }) => (source === "assumed" ? [] : [source]));
  expect(measured.length).toBeGreaterThan(8);
  for (const { page, figure } of measured) expect(readFileSync(page, "utf8"), page).toContain(figure);
});

test("what is stored and computed grows with the cases, and a practice's own limit does not", () => {
  const [one, ten] = [1e6, 1e7].map((cases) => capacityFor(given({ cases })));
  expect(ten?.tablesTbYear).toBeCloseTo(10 * (one?.tablesTbYear ?? 0));
  expect(ten?.peakPerSecond).toBeCloseTo(10 * (one?.peakPerSecond ?? 0));
  expect(ten?.releasesPerSecondOfPractice).toBe(one?.releasesPerSecondOfPractice);
});

test("a million cases a year fit one cell, and a cell is added once its cluster could not come back in time", () => {
  expect(capacityFor(given({ cases: 1e6 })).cells).toBe(1);
  const { clusterTbMost, tablesTbKept } = capacityFor(given({ cases: 1e6 }));
  const full = (1e6 * clusterTbMost) / tablesTbKept;
  expect([0.99, 1.01].map((part) => capacityFor(given({ cases: full * part })).cells)).toEqual([1, 2]);
});
