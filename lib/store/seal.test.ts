import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSealer, openText, sealText, type Place } from "./seal.ts";

const sealer = createSealer(randomBytes(32));
const place: Place = { table: "revision", column: "service_review", row: "r1", practiceId: "p1" };

test("what was sealed opens to exactly the same bytes in its own place", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
      expect(Buffer.from(sealer.open(sealer.seal(bytes, place), place))).toEqual(Buffer.from(bytes));
    }),
  );
});

test.each(["table", "column", "row", "practiceId"] as const)("moved to another %s it does not open", (part) => {
  const sealed = sealText(sealer, "Okafor, Adaeze", place);
  expect(() => openText(sealer, sealed, { ...place, [part]: "other" })).toThrow("authenticate");
});

describe("changed in any byte", () => {
  const sealed = sealText(sealer, "Okafor", place);
  test.each([...sealed.keys()])("%i it does not open", (index) => {
    const changed = Uint8Array.from(sealed, (byte, at) => (at === index ? byte ^ 1 : byte));
    expect(() => sealer.open(changed, place)).toThrow(/authenticate|version/);
  });
});

test("under another key it does not open, and a key of another length is refused", () => {
  const sealed = sealText(sealer, "Okafor", place);
  expect(() => createSealer(randomBytes(32)).open(sealed, place)).toThrow("authenticate");
  expect(() => createSealer(randomBytes(16))).toThrow("32 bytes");
});

test("no initialization vector is used twice, and the text is nowhere in what is kept", () => {
  const kept = Array.from({ length: 2000 }, () => Buffer.from(sealText(sealer, "Okafor", place)));
  expect(new Set(kept.map((sealed) => sealed.subarray(1, 13).toString("hex"))).size).toBe(kept.length);
  expect(kept.some((sealed) => sealed.includes("Okafor"))).toBe(false);
});

test("a member's hash is the same for equal members of one practice only, and under one key only", () => {
  const hash = (memberId: string, practiceId = "p1") =>
    Buffer.from(sealer.memberHash(memberId, practiceId)).toString("hex");
  expect(hash("w123 456-7")).toBe(hash("W1234567"));
  expect(hash("W1234567", "p2")).not.toBe(hash("W1234567"));
  expect(hash("W1234568")).not.toBe(hash("W1234567"));
  const other = createSealer(randomBytes(32)).memberHash("W1234567", "p1");
  expect(Buffer.from(other).toString("hex")).not.toBe(hash("W1234567"));
});
