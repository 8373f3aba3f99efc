import { createHash, randomBytes } from "node:crypto";
import type * as Zlib from "node:zlib";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
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

test.each([bytesMax - 1, bytesMax, bytesMax + 1, bytesMax + 100, bytesMax + 2_000])(
  "a value of %i bytes opens where Node would open it, and only there",
  (length) => {
    for (const plain of [Buffer.alloc(length, "long "), randomBytes(length)]) {
      const frame = kept.compress(plain);
      const byNode = outcomeOf(() => zstdDecompressSync(frame, { maxOutputLength: bytesMax, dictionary }));
      expect(outcomeOf(() => kept.decompress(frame))).toEqual(byNode);
    }
  },
);

test("a short frame of a hundred megabytes is refused, and the next value opens", () => {
  const frame = zstdCompressSync(Buffer.alloc(100_000_000), { params, dictionary });
  expect(frame.length).toBeLessThan(20_000);
  expect(() => kept.decompress(frame)).toThrow("Cannot create a Buffer larger than 65536 bytes");
  expect(kept.decompress(kept.compress(members.subarray(0, 99))).equals(members.subarray(0, 99))).toBe(true);
});

test("whatever becomes of the frames between, each value that opens is its own", () => {
  const aChange = fc.record({ at: fc.nat(), byte: fc.integer({ min: 1, max: 255 }), isCut: fc.boolean() });
  fc.assert(
    fc.property(fc.array(fc.tuple(aValue, aChange), { minLength: 2, maxLength: 6 }), (values) => {
      for (const [plain, { at, byte, isCut }] of values) {
        const frame = kept.compress(plain);
        const place = at % frame.length;
        const broken = isCut
          ? frame.subarray(0, place)
          : Uint8Array.from(frame, (one, n) => (n === place ? one ^ byte : one));
        const byNode = outcomeOf(() => zstdDecompressSync(broken, { maxOutputLength: bytesMax, dictionary }));
        expect(outcomeOf(() => kept.decompress(broken))).toEqual(byNode);
        expect(kept.decompress(frame).equals(plain)).toBe(true);
      }
    }),
  );
});

describe("where Node has not what a context is kept by", () => {
  afterEach(() => {
    vi.doUnmock("node:zlib");
  });

  test.each<readonly [string, (stream: object) => object]>([
    ["no handle", () => ({ _handle: null })],
    ["a handle of another kind", () => ({ _handle: {} })],
    ["no state of what is left", () => ({ _writeState: undefined })],
    ["a step that does nothing", () => ({ _handle: { writeSync: () => undefined } })],
  ])("%s: each value goes to Node's own functions, and comes out the same", async (_, parts) => {
    vi.resetModules();
    vi.doMock("node:zlib", async (original) => {
      const zlib = await original<typeof Zlib>();
      const without = <Stream extends object>(stream: Stream) => Object.assign(stream, parts(stream));
      return {
        ...zlib,
        createZstdCompress: (...args: Parameters<typeof zlib.createZstdCompress>) =>
          without(zlib.createZstdCompress(...args)),
        createZstdDecompress: (...args: Parameters<typeof zlib.createZstdDecompress>) =>
          without(zlib.createZstdDecompress(...args)),
      };
    });
    const { keepZstd: keepAnew } = await import("./kept-zstd.ts");
    const bare = keepAnew(dictionary, bytesMax);
    for (const plain of [members.subarray(0, 5_000), Buffer.from("a value"), Buffer.alloc(0)]) {
      expect(bare.compress(plain).equals(compressedByNode(plain))).toBe(true);
      expect(bare.decompress(kept.compress(plain)).equals(plain)).toBe(true);
    }
    expect(() => bare.decompress(Buffer.from("this is no frame at all"))).toThrow("Unknown frame descriptor");
  });
});

test.each([
  ["a frame with more behind it", () => Buffer.concat([kept.compress(members.subarray(0, 900)), Buffer.from("more")])],
  ["two frames", () => Buffer.concat([kept.compress(Buffer.from("one")), kept.compress(Buffer.from("two"))])],
  ["no bytes cut short", () => kept.compress(Buffer.alloc(0)).subarray(0, -1)],
  ["a frame whose last part is said not to be the last", () => unended(kept.compress(Buffer.from("a value")))],
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

/** After the magic number, the descriptor and one byte of length, the head of the only block says whether it is the last. */
function unended(frame: Buffer): Buffer {
  frame.writeUInt8(frame.readUInt8(6) & 0xfe, 6);
  return frame;
}

function outcomeOf(open: () => Buffer): unknown {
  try {
    return createHash("sha256").update(open()).digest("hex");
  } catch (error) {
    return error;
  }
}
