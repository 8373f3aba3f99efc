import { expect, test } from "vitest";
import { readTraceparent, traceparentOf } from "./traceparent.ts";

const text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

test("a traceparent is read and written as W3C Trace Context says", () => {
  const place = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7", isSampled: true };
  expect(readTraceparent(text)).toEqual(place);
  expect(traceparentOf(place)).toBe(text);
  expect(readTraceparent(text.replace(/01$/, "00"))?.isSampled).toBe(false);
});

test.each([
  undefined,
  null,
  "",
  "Okafor, Adaeze",
  text.toUpperCase(),
  `${text}-more`,
  `${text}\n`,
  text.replace("00-", "01-"),
  text.replace("4bf92f3577b34da6a3ce929d0e0e4736", "0".repeat(32)),
  text.replace("00f067aa0ba902b7", "0".repeat(16)),
])("%j is no traceparent, so nothing that a caller sent stands in a trace", (given) => {
  expect(readTraceparent(given)).toBeUndefined();
});
