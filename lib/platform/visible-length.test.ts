import { expect, test } from "vitest";
import { isBlank, visibleLength } from "./visible-length.ts";

test.each([
  ["", 0],
  [" \t\r\n\u00a0\u3000", 0],
  ["\u200b\u200d\u2060\ufeff\u00ad", 0],
  ["\u202e\u2066\u061c", 0],
  ["\u3164\u115f\uffa0\u17b4", 0],
  ["\ufe0f\u{e0100}\u{e0041}", 0],
  ["\u2800\u2800", 0],
  ["a\u200bb", 2],
  ["\u{1f9d1}\u200d\u{1f52c}", 2],
  ["No reviewer answers.", 18],
])("of %j somebody sees %i characters", (text, length) => {
  expect(visibleLength(text)).toBe(length);
  expect(isBlank(text)).toBe(length === 0);
});
