import { randomBytes } from "node:crypto";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { keepZstd } from "./kept-zstd.ts";

const bytesMax = 65_536;
const dictionary = Buffer.from(Array.from({ length: 400 }, (_, at) => `"member${at}":"value ${at * 7_919}",`).join(""));
const kept = keepZstd(dictionary, bytesMax);

const params = { [constants.ZSTD_c_dictIDFlag]: 0 };
const openedByNode = (frame: Uint8Array) => zstdDecompressSync(frame, { dictionary });
const compressedByNode = (plain: Uint8Array) => zstdCompressSync(plain, { params, dictionary });

const members = Buffer.from(dictionary.toString().repeat(9));
const aValue = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.nat({ max: bytesMax }).map((length) => randomBytes(length)),
  fc.nat({ max: bytesMax }).map((length) => members.subarray(0, length)),
);

test("one value after another opens again, here and by Node's own function, and what that made opens here", () => {
  fc.assert(
    fc.property(aValue, (plain) => {
      const frame = kept.compress(plain);
      const opened = [kept.decompress(frame), openedByNode(frame), kept.decompress(compressedByNode(plain))];
      expect(opened.map((bytes) => bytes.equals(plain))).toEqual([true, true, true]);
    }),
  );
});

test("a value keeps nothing of an earlier one, and does not change with a later one", () => {
  const [long, short] = [Buffer.from("long ".repeat(9_000)), Buffer.from("short ".repeat(9))];
  const frame = kept.compress(long);
  const before = Buffer.from(frame);
  const opened = kept.decompress(frame);
  expect(kept.decompress(kept.compress(short)).equals(short)).toBe(true);
  expect([frame.equals(before), opened.equals(long)]).toEqual([true, true]);
});

test("a longer value than was said is still compressed whole, and refused when it is opened", () => {
  const long = Buffer.from("long ".repeat(40_000));
  const frame = kept.compress(long);
  expect(openedByNode(frame).equals(long)).toBe(true);
  expect(() => kept.decompress(frame)).toThrow("Cannot create a Buffer larger than 65536 bytes");
});

test.each([
  ["no frame", () => Buffer.from("this is no frame at all")],
  ["no bytes", () => Buffer.alloc(0)],
  ["a frame cut short", () => kept.compress(Buffer.from("a value ".repeat(99))).subarray(0, -3)],
  ["a frame's head", () => kept.compress(Buffer.from("a value ".repeat(99))).subarray(0, 6)],
  ["a frame with another byte", () => changed(kept.compress(dictionary.subarray(3_000, 9_000)))],
])("%s is refused as Node refuses it, and the next value opens", (_, broken) => {
  const byNode = outcomeOf(() => zstdDecompressSync(broken(), { maxOutputLength: bytesMax, dictionary }));
  expect(outcomeOf(() => kept.decompress(broken()))).toEqual(byNode);
  const plain = Buffer.from("the next value ".repeat(50));
  expect(kept.decompress(kept.compress(plain)).equals(plain)).toBe(true);
});

function changed(frame: Buffer): Buffer {
  frame.writeUInt8(frame.readUInt8(12) ^ 0xff, 12);
  return frame;
}

function outcomeOf(open: () => Buffer): unknown {
  try {
    return open().toString("hex");
  } catch (error) {
    return error;
  }
}
