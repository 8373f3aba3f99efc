import { expect, test } from "vitest";
import { pathCharsMax, shortPath } from "./short-path.ts";

test("a path that is no longer than the limit is repeated as it is", () => {
  const path = `/${"x".repeat(pathCharsMax - 1)}`;
  expect(shortPath(path)).toBe(path);
});

test("a longer path is cut and ends in the mark", () => {
  expect(shortPath(`/${"x".repeat(pathCharsMax)}`)).toBe(`/${"x".repeat(pathCharsMax - 1)}…`);
});

test("a path is cut within no character and no escape", () => {
  const before = `/${"x".repeat(pathCharsMax - 2)}`;
  expect(shortPath(`${before}\u{1f600}`)).toBe(`${before}…`);
  expect(shortPath(`${before}~1x`)).toBe(`${before}…`);
});
