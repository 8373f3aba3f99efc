import { PassThrough } from "node:stream";
import { createElement, Suspense, use } from "react";
import { renderToPipeableStream } from "react-dom/server";
import { expect, test } from "vitest";
import { isReaderGone } from "./reader-gone.ts";

const never = new Promise<string>(() => undefined);
const Slow = () => use(never);

/** What React reports of a page whose stream ends so before all of it is drawn. */
function reportOf(end: (stream: PassThrough) => void): Promise<unknown> {
  const stream = new PassThrough();
  stream.resume();
  return new Promise((resolve) => {
    const page = createElement("main", null, createElement(Suspense, null, createElement(Slow)));
    const { pipe } = renderToPipeableStream(page, {
      onShellReady: () => {
        pipe(stream);
        end(stream);
      },
      onError: (error) => resolve(error),
    });
  });
}

test.each([
  ["closed", (stream: PassThrough) => stream.destroy()],
  ["broken", (stream: PassThrough) => stream.destroy(new Error("reset"))],
])("a page whose reader's connection is %s is known as one that was left", async (_, end) => {
  expect(isReaderGone(await reportOf(end))).toBe(true);
});

test("an error of the page itself is none of a reader who left", () => {
  expect(isReaderGone(new Error("The case could not be read."))).toBe(false);
  expect(isReaderGone("The destination stream closed early.")).toBe(false);
});
