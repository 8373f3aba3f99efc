import { createHash } from "node:crypto";
import { constants, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aChain, aSigner } from "#test/support/audit/receipts";
import { packedReceipt, receiptDictionary, textOfReceipt } from "./packed-receipt.ts";
import { verifyReceipts } from "./verify.ts";

const kept = (packed: Uint8Array) => ({ document: null, packed });

test("a packed receipt opens to exactly its text, and takes less than half of its bytes", () => {
  for (const text of aChain({ signer: aSigner("the practice's service"), count: 5 })) {
    const packed = packedReceipt(text);
    expect(textOfReceipt(kept(packed))).toBe(text);
    expect(packed.length).toBeLessThan(text.length / 2);
  }
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 3_000 }), (text) => {
      expect(textOfReceipt(kept(packedReceipt(text)))).toBe(text);
    }),
  );
});

test("the dictionary is the one with which receipts were packed, and one of them opens", () => {
  const digest = createHash("sha256").update(receiptDictionary).digest("hex");
  expect(digest).toBe("6a6d205812fb4947f2adffdb0847880a5f4a638a0b0a2c31f0fc58584e66f864");
  expect(textOfReceipt(kept(Buffer.from("BSi1L/0gN5UAABAyfQVAAFr1bFLErqsjLgpDBA==", "base64")))).toBe(
    '{"action":"void","decision":"declined","votesNeeded":2}',
  );
});

test("a receipt longer than what would open again is not packed", () => {
  const longest = "a".repeat(1_048_576);
  expect(textOfReceipt(kept(packedReceipt(longest)))).toBe(longest);
  expect(() => packedReceipt(`${longest}a`)).toThrow("no longer than what opens again");
});

test("a receipt that was changed where it is kept, or is in a form that is not known, does not open", () => {
  const packed = packedReceipt('{"action":"void","decision":"declined","votesNeeded":2}');
  expect(() => textOfReceipt(kept(packed.subarray(0, -3)))).toThrow("unexpected end of file");
  expect(() => textOfReceipt(kept(Uint8Array.from(packed, (byte, at) => (at === 0 ? 6 : byte))))).toThrow("forms");
  expect(() => textOfReceipt({ document: null, packed: null })).toThrow("forms");
});

describe("a receipt that somebody packed anew, who has not the key that signed it,", () => {
  const signer = aSigner("the practice's service");
  const [text = ""] = aChain({ signer, count: 1 });
  const params = { [constants.ZSTD_c_dictIDFlag]: 0 };
  const frameOf = (plain: string, dictionary = receiptDictionary) =>
    zstdCompressSync(plain, { params, dictionary: Buffer.from(dictionary) });
  const packedOf = (...frames: readonly Uint8Array[]) => Buffer.concat([Buffer.of(5), ...frames]);
  const verified = (opened: string) =>
    verifyReceipts([{ name: "one", bytes: Buffer.from(opened) }], { keys: [signer.key] });

  test.each([
    ["spaces between", JSON.stringify(JSON.parse(text), null, 1).replaceAll("\n", " ")],
    ["a space behind it", `${text} `],
    ["a byte order mark", `\u{feff}${text}`],
    ["a member twice", text.replace("{", '{"version":1,')],
    ["an escaped letter", text.replace("Dana", String.raw`\u0044ana`)],
    ["another decision", text.replace('"decision":"released"', '"decision":"declined"')],
  ])("with %s opens as that, and is not verified", (_, other) => {
    const opened = textOfReceipt(kept(packedReceipt(other)));
    expect(opened).toBe(other);
    expect(opened).not.toBe(text);
    expect(verified(opened).good).toEqual([]);
  });

  test.each([
    ["as it was", packedOf(frameOf(text))],
    ["with more bytes behind it, which are no part of any text", packedOf(frameOf(text), Buffer.from("more"))],
    ["with another receipt behind it", packedOf(frameOf(text), frameOf("another"))],
    ["with a dictionary that it has nothing of", packedOf(frameOf(text, receiptDictionary.toUpperCase()))],
  ])("%s opens to exactly what was signed", (_, packed) => {
    const opened = textOfReceipt(kept(packed));
    expect(opened).toBe(text);
    expect(verified(opened)).toMatchObject({ good: [{ where: "one" }], findings: [] });
  });

  test("in fifty megabytes does not open", () => {
    expect(() => textOfReceipt(kept(packedOf(frameOf(" ".repeat(50_000_000)))))).toThrow("larger than 1048576 bytes");
  });
});
