import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { shownDocument } from "./shown-document.ts";

test("a document is shown exactly, but that a file in it stands as its length and digest", () => {
  const file = Buffer.alloc(30_000, "scan");
  const digest = createHash("sha256").update(file).digest("hex");
  const document = { note: "a\u0000b é", data: file.toString("base64"), digest };
  expect(shownDocument(Buffer.from(JSON.stringify(document)))).toEqual({
    text: JSON.stringify({ ...document, data: `[base64 of 30000 bytes, SHA-256 ${digest}]` }),
    files: 1,
  });
});

test("what is short enough to read is never left out", () => {
  const text = JSON.stringify({ data: Buffer.alloc(3_000, "a").toString("base64"), line: `${"word ".repeat(20_000)}` });
  expect(shownDocument(Buffer.from(text))).toEqual({ text, files: 0 });
});
