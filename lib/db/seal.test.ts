import { createHash, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createKeyRing, unwrapKey, wrapKey } from "#lib/platform/key-ring";
import { type Compression, createSealer, openText, sealText, type Place, type Sealer } from "./seal.ts";
import { sealDictionary } from "./seal-dictionary.ts";

const aKey = () => createSecretKey(randomBytes(32));

/** Every practice under the keys of these versions, the last of which seals. */
function sealerOf(keys: readonly KeyObject[], compression?: Compression): Sealer {
  const newest = keys.at(-1) ?? aKey();
  const found = {
    sealing: () => ({ version: keys.length, secret: newest }),
    opening: (_: string, version: number) => keys[version - 1] ?? aKey(),
    finding: () => newest,
    earlier: [],
  };
  return createSealer(found, compression && (() => compression));
}

const first = aKey();
const sealer = sealerOf([first]);
const place: Place = { table: "revision", column: "service_review", row: "r1", practiceId: "p1" };

test("what was sealed opens to exactly the same bytes in its own place", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
      expect(Buffer.from(sealer.open(sealer.seal(bytes, place), place))).toEqual(Buffer.from(bytes));
    }),
  );
});

const document = Buffer.from(JSON.stringify(Array.from({ length: 200 }, (_, line) => ({ line, code: "72148" }))));

function sealedSizes(by: Sealer, where: Place, bytes: Uint8Array) {
  const sealed = by.seal(bytes, where);
  expect(Buffer.from(by.open(sealed, where)).equals(bytes)).toBe(true);
  return { first: sealed[0], length: sealed.length };
}

const uncompressed = (bytes: Uint8Array) => ({ first: 2, length: bytes.length + 33 });

test("a document, a message and an event are compressed before they are sealed; what is short, long, dense or anything else is not, and whatever it is opens the same", () => {
  for (const where of [place, ...["message", "task_event"].map((table) => ({ ...place, table }))]) {
    const { first, length } = sealedSizes(sealer, where, document);
    expect(first).toBe(4);
    expect(length).toBeLessThan(document.length / 4);
  }
  const [short, long, dense] = [document.subarray(0, 95), Buffer.alloc(65_537, "a"), randomBytes(1_000)];
  for (const bytes of [short, long, dense]) expect(sealedSizes(sealer, place, bytes)).toEqual(uncompressed(bytes));
  for (const table of ["attachment", "case_note"])
    expect(sealedSizes(sealer, { ...place, table }, document)).toEqual(uncompressed(document));
  const changed = Uint8Array.from(sealer.seal(document, place), (byte, at) => (at === 0 ? 2 : byte));
  expect(() => sealer.open(changed, place)).toThrow("authenticate");
});

test("where programs run that know no dictionary, documents are compressed so that they read them, and messages and events are not", () => {
  const earlier = sealerOf([first], "documents");
  const { first: format, length } = sealedSizes(earlier, place, document);
  expect(format).toBe(3);
  expect(length).toBeLessThan(document.length / 4);
  const [short, long] = [document.subarray(0, 511), Buffer.alloc(65_537, "a")];
  for (const table of ["message", "task_event"])
    expect(sealedSizes(earlier, { ...place, table }, document)).toEqual(uncompressed(document));
  for (const bytes of [short, long]) expect(sealedSizes(earlier, place, bytes)).toEqual(uncompressed(bytes));
  const kept = earlier.seal(document, place);
  expect(Buffer.from(sealer.open(kept, place)).equals(document)).toBe(true);
});

test("the dictionary is the one with which values were compressed, and one of them opens", () => {
  const digest = createHash("sha256").update(sealDictionary).digest("hex");
  expect(digest).toBe("df34596dcf5cbe0fa9bba25ee5aecb8467aad023e6220db061aef526195f237d");
  const kept =
    "BAAAAAGyZ1fAtx1eIG8fU22xJJkI5aZE4UvyN+YEgnsMfFJR79H2Ge/3O0K19UVQgEPMtqIzrjyfyx6c2037g05xv0WKftLKCySHHhKDQ+aIljMr";
  const profile = "http://hl7.org/fhir/us/davinci-pas/StructureDefinition/profile-pas-request-bundle";
  const bundle = (line: number) => ({
    ...{ resourceType: "Bundle", meta: { profile: [profile] }, identifier: { system: "urn:ietf:rfc:3986" } },
    ...{ type: "collection", line },
  });
  const by = sealerOf([createSecretKey(Buffer.alloc(32, 7))]);
  expect(openText(by, Buffer.from(kept, "base64"), place)).toBe(JSON.stringify([bundle(0), bundle(1), bundle(2)]));
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

test("under another key it does not open; under a newer one what was sealed before still does", () => {
  const sealed = sealText(sealer, "Okafor", place);
  expect(() => sealerOf([aKey()]).open(sealed, place)).toThrow("authenticate");
  const newer = sealerOf([first, aKey()]);
  expect(openText(newer, sealed, place)).toBe("Okafor");
  expect(sealText(newer, "Okafor", place).subarray(0, 5)).toEqual(Buffer.of(2, 0, 0, 0, 2));
});

test("a wrapped key opens under its own ring key and in its own place only, and a ring key of another length is refused", () => {
  const [ringKey] = createKeyRing([randomBytes(32)]);
  const at = { practiceId: "p1", use: "seal", version: 1 } as const;
  const key = randomBytes(32);
  const wrapped = wrapKey(ringKey, key, at);
  expect(unwrapKey(ringKey, wrapped, at)).toEqual(key);
  for (const moved of [{ practiceId: "p2" }, { use: "find" as const }, { version: 2 }])
    expect(() => unwrapKey(ringKey, wrapped, { ...at, ...moved })).toThrow("authenticate");
  expect(() => unwrapKey(createKeyRing([randomBytes(32)])[0], wrapped, at)).toThrow("authenticate");
  expect(() => createKeyRing([randomBytes(16)])).toThrow("32 bytes");
});

test("no initialization vector is used twice, and the text is nowhere in what is kept", () => {
  const kept = Array.from({ length: 2000 }, () => Buffer.from(sealText(sealer, "Okafor", place)));
  expect(new Set(kept.map((sealed) => sealed.subarray(5, 17).toString("hex"))).size).toBe(kept.length);
  expect(kept.some((sealed) => sealed.includes("Okafor"))).toBe(false);
});

test("a member's hash is the same for equal members of one practice only, and under one key only", () => {
  const hash = (memberId: string, practiceId = "p1") =>
    Buffer.from(sealer.memberHash(memberId, practiceId)).toString("hex");
  expect(hash("w123 456-7")).toBe(hash("W1234567"));
  expect(hash("W1234567", "p2")).not.toBe(hash("W1234567"));
  expect(hash("W1234568")).not.toBe(hash("W1234567"));
  const other = sealerOf([aKey()]).memberHash("W1234567", "p1");
  expect(Buffer.from(other).toString("hex")).not.toBe(hash("W1234567"));
});
