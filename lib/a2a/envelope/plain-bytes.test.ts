import fc from "fast-check";
import { expect, test } from "vitest";
import { createPlainCounter } from "./plain-bytes.ts";

const call = (parts: readonly unknown[], more: object = {}) => ({ id: "1", params: { message: { parts }, ...more } });
const file = (bytes: string) => ({ kind: "file", file: { bytes } });

/** The count when the body arrives in parts of so many bytes. */
function count(text: string, pieceBytes: number): number {
  const bytes = Buffer.from(text);
  const plainUpTo = createPlainCounter();
  let plain = 0;
  for (let at = 0; at < bytes.length; at += pieceBytes) plain = plainUpTo(bytes.subarray(at, at + pieceBytes));
  return plain;
}

test("the bytes of a call outside its files are counted exactly, whatever parts it arrives in", () => {
  const texts = fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.constant('\\"file":{"bytes":"')));
  fc.assert(
    fc.property(texts, fc.array(fc.base64String()), fc.integer({ min: 1, max: 64 }), (notes, files, piece) => {
      const withFiles = (given: readonly string[]) =>
        call([...notes, ...given.map(file), { kind: "data", data: notes }]);
      const plain = Buffer.byteLength(JSON.stringify(withFiles(files.map(() => ""))));
      expect(count(JSON.stringify(withFiles(files)), piece)).toBe(plain);
    }),
    { numRuns: 40 },
  );
});

test.each<[string, unknown]>([
  ["in a note", call([{ kind: "text", text: "x".repeat(99) }])],
  ["as bytes of another place", call([], { file: { bytes: "x".repeat(99) } })],
  ["as bytes one level deeper", call([{ file: { file: { bytes: "x".repeat(99) } } }])],
  ["as bytes beside the message", { parts: [file("x".repeat(99))] }],
  ["as a list of bytes", call([{ file: { bytes: ["x".repeat(99)] } }])],
  ["as a name", call([{ file: { ["bytes".repeat(20)]: "" } }])],
])("text %s counts", (_, body) => {
  const text = JSON.stringify(body);
  expect(count(text, 7)).toBe(Buffer.byteLength(text));
});
