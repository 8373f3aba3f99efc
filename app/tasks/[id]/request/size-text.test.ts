import { expect, test } from "vitest";
import { sizeText } from "./size-text.ts";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1_000, "1 kB"],
  [999_499, "999 kB"],
  [999_500, "1.0 MB"],
  [10_485_760, "10.5 MB"],
])("%i is said as %s", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
