import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { aChain, aSigner } from "#test/support/audit/receipts";
import { packedReceipt, receiptDictionary, textOfReceipt } from "./packed-receipt.ts";

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

test("a receipt that was changed where it is kept, or is in a form that is not known, does not open", () => {
  const packed = packedReceipt('{"action":"void","decision":"declined","votesNeeded":2}');
  expect(() => textOfReceipt(kept(packed.subarray(0, -3)))).toThrow("unexpected end of file");
  expect(() => textOfReceipt(kept(Uint8Array.from(packed, (byte, at) => (at === 0 ? 6 : byte))))).toThrow("forms");
  expect(() => textOfReceipt({ document: null, packed: null })).toThrow("forms");
});
