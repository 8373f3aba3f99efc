import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { shownDocument } from "./shown-document.ts";

const digestOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const file = Buffer.alloc(30_000, "scan");
/** RFC 4648, section 4. */
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const known = [{ sha256: digestOf(file) }];

test("a document is shown exactly, but that a file of the case in it stands as its length and digest", () => {
  const document = (data: string) => JSON.stringify({ note: "a\u0000b é", attachment: { data }, digest: known[0] });
  expect(shownDocument(Buffer.from(document(file.toString("base64"))), known)).toEqual({
    text: document(`[base64 of 30000 bytes, SHA-256 ${digestOf(file)}]`),
    files: 1,
    shortened: 1,
  });
});

test("a file that is short enough to read is counted and shown", () => {
  const short = Buffer.alloc(300, "a");
  const text = JSON.stringify({ data: short.toString("base64") });
  const all = [...known, { sha256: digestOf(short) }];
  expect(shownDocument(Buffer.from(text), all)).toEqual({ text, files: 1, shortened: 0 });
});

test("nothing else is left out, however long it is and whatever it looks like", () => {
  const other = Buffer.alloc(30_000, "note").toString("base64");
  const data = file.toString("base64");
  const trailing = Buffer.alloc(30_001, "scan");
  // The same bytes in other characters: the last four bits before `==` are ignored, and are zero where it is written.
  const alike = trailing.toString("base64").replace(/.==$/, (end) => `${letters[letters.indexOf(end[0] ?? "") + 1]}==`);
  const documents: Readonly<Record<string, string>> = {
    "letters without a space": JSON.stringify({ note: "A".repeat(8_192) }),
    "a file that is none of the case": JSON.stringify({ attachment: { data: other } }),
    "the file at another place": JSON.stringify({ note: data }),
    "the file in a text that looks like its place": JSON.stringify({ note: `"data":"${data}"` }),
    "the file with more around it": JSON.stringify({ attachment: { data: `${data}AAAA` } }),
    "other characters for the same bytes": JSON.stringify({ attachment: { data: alike } }),
  };
  expect(alike).not.toBe(trailing.toString("base64"));
  expect(Buffer.from(alike, "base64").equals(trailing)).toBe(true);
  const all = [...known, { sha256: digestOf(trailing) }];
  for (const [what, text] of Object.entries(documents))
    expect([what, shownDocument(Buffer.from(text), all)]).toEqual([what, { text, files: 0, shortened: 0 }]);
});
