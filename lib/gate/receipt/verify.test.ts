import { createHash } from "node:crypto";
import { calculateJwkThumbprint } from "jose";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aChain, aReceipt, aSigner } from "#test/support/audit/receipts";
import { openSigningKey, publishedKeys, readReceiptKeys, receiptKey } from "#lib/platform/signing-keys";
import { receiptHash, receiptText } from "./receipt.ts";
import { verifyReceipts, type ChainQuery } from "./verify.ts";

const signer = aSigner("the practice's service");
const keys = [signer.key];
const chain = aChain({ signer, count: 5 });

function verify(lines: readonly string[], { chain: query, by = keys }: { chain?: ChainQuery; by?: typeof keys } = {}) {
  const bytes = Buffer.from(`${lines.join("\n")}\n`);
  return verifyReceipts([{ name: "receipts", bytes }], { keys: by, chain: query });
}

const whole = { from: 1 };
const problemsOf = (lines: readonly string[], query: ChainQuery = whole) =>
  verify(lines, { chain: query }).findings.map(({ where, problem }) => `${where} ${problem}`);

/** The lines at these positions. */
const those = (...places: readonly number[]) => places.map((place) => chain[place - 1] ?? "");

test("a key is RFC 8032's, and its id the thumbprint RFC 8037 prints for it", async () => {
  const seed = Buffer.from("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", "hex");
  const { key } = openSigningKey(seed);
  expect(key).toEqual({
    kty: "OKP",
    crv: "Ed25519",
    x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
    use: "sig",
    alg: "EdDSA",
  });
  expect(await calculateJwkThumbprint(signer.key)).toBe(signer.key.kid);
});

test("receipts that follow one another are genuine, and the hash of the last is told", () => {
  const verdict = verify(chain, { chain: whole });
  const head = createHash("sha256")
    .update(chain.at(-1) ?? "")
    .digest("hex");
  expect(verdict).toMatchObject({ findings: [], chains: [{ practiceId: "elm", first: 1, last: 5, head }] });
  expect(verdict.good).toHaveLength(5);
});

test("any change of any byte of a receipt is named", () => {
  const [text = ""] = chain;
  const bytes = Buffer.from(text);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const altered = Buffer.from(bytes);
      altered[at] = (altered[at] ?? 0) ^ by;
      const { findings, good } = verifyReceipts([{ name: "one", bytes: altered }], { keys });
      expect(findings.length).toBeGreaterThan(0);
      expect(good).toEqual([]);
    }),
    { numRuns: 3_000 },
  );
});

test("no byte can be left out of a receipt or put into it", () => {
  const [text = ""] = chain;
  const bytes = Buffer.from(text);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.option(fc.nat(255)), (at, put) => {
      const rest = bytes.subarray(put === null ? at + 1 : at);
      const altered = Buffer.concat([bytes.subarray(0, at), put === null ? Buffer.of() : Buffer.of(put), rest]);
      const { findings } = verifyReceipts([{ name: "one", bytes: altered }], { keys });
      expect(findings.length).toBeGreaterThan(0);
    }),
    { numRuns: 2_000 },
  );
});

test("every member of a receipt is signed", () => {
  const receipt = aReceipt(signer, {});
  const others = aReceipt(signer, {
    sequence: 9,
    practiceId: "oak",
    action: "void",
    update: true,
    environment: "live",
    revision: 2,
    decision: "declined",
    previousReceiptHash: "0".repeat(64),
    documentDigests: [],
    votesNeeded: 2,
    votes: [],
    decidedBy: { id: receipt.taskId, name: "Someone" },
  });
  const signed = Object.keys(receipt).filter((member) => !["version", "kid", "signature"].includes(member));
  expect(signed.length).toBeGreaterThan(15);
  for (const member of signed) {
    // Safe because both are receipts, and `member` is one of theirs.
    const altered = { ...receipt, [member]: (others as Record<string, unknown>)[member] } as typeof receipt;
    expect(verify([receiptText(altered)]).findings, member).toMatchObject([
      { problem: "signature", sequence: altered.sequence },
    ]);
  }
});

describe("a receipt on its own", () => {
  const receipt = aReceipt(signer, {});
  test.each([
    ["another key", receiptText(aReceipt(aSigner("an impostor"), {})), "unknown-key"],
    [
      "another key under the right name",
      receiptText({ ...aReceipt(aSigner("an impostor"), {}), kid: signer.key.kid }),
      "signature",
    ],
    [
      "its members in another order",
      JSON.stringify(Object.fromEntries(Object.entries(receipt).toReversed())),
      "altered-form",
    ],
    ["white space", receiptText(receipt).replace('":', '": '), "altered-form"],
    ["a member twice", receiptText(receipt).replace("{", '{"action":"void",'), "altered-form"],
    ["a member no receipt has", JSON.stringify({ ...receipt, approved: true }), "not-a-receipt"],
    ["a member missing", JSON.stringify({ ...receipt, gateDigest: undefined }), "not-a-receipt"],
    ["nothing", "", "not-a-receipt"],
    ["a list", "[]", "not-a-receipt"],
  ])("with %s is refused", (_, text, problem) => {
    expect(verify([text]).findings).toMatchObject([{ problem }]);
  });

  test("says which member is missing or malformed", () => {
    const text = JSON.stringify({ ...receipt, gateDigest: "ABC" });
    expect(verify([text]).findings).toMatchObject([{ sentence: "its member gateDigest is missing or malformed" }]);
  });

  test("with a second spelling of its signature is refused", () => {
    // The last of the 86 characters carries only two bits, so four others decode to the same.
    const { signature } = receipt;
    const spelt = `${signature.slice(0, -1)}${signature.endsWith("A") ? "B" : "Z"}`;
    expect(verify([receiptText({ ...receipt, signature: spelt })]).findings).toHaveLength(1);
  });
});

describe("a chain", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["with one missing", those(1, 2, 4, 5), ["receipts:3 gap"]],
    ["without its beginning", those(3, 4, 5), ["receipts:1 gap"]],
    [
      "with two exchanged",
      those(1, 3, 2, 4, 5),
      ["receipts:2 reordered", "receipts:3 reordered", "receipts:4 reordered"],
    ],
    ["with one given twice", those(1, 2, 2, 3), ["receipts:3 repeated"]],
    [
      "with an altered one",
      [chain[0] ?? "", (chain[1] ?? "").replace("Dana", "Dora"), ...those(3)],
      ["receipts:2 signature", "receipts:3 gap"],
    ],
  ])("%s is named", (_, lines, problems) => {
    expect(problemsOf(lines)).toEqual(problems);
  });

  test("with one replaced by another genuine one is named where the next does not follow", () => {
    const other = receiptText(
      aReceipt(signer, { sequence: 2, previousReceiptHash: receiptHash(chain[0] ?? ""), decision: "declined" }),
    );
    expect(problemsOf([chain[0] ?? "", other, ...those(3, 4)])).toEqual(["receipts:3 broken-link"]);
  });

  test("whose first receipt names one before it is named", () => {
    expect(problemsOf([receiptText(aReceipt(signer, { previousReceiptHash: "0".repeat(64) }))])).toEqual([
      "receipts broken-link",
    ]);
  });

  test("with its end cut off shows against the head noted earlier", () => {
    const head = receiptHash(chain[4] ?? "");
    expect(problemsOf(chain, { from: 1, head })).toEqual([]);
    expect(problemsOf(those(1, 2, 3, 4), { from: 1, head })).toEqual(["receipts:4 cut"]);
  });

  test("may be taken up later where it is asked to", () => {
    expect(problemsOf(those(3, 4, 5), { from: 3 })).toEqual([]);
  });

  test("is one of each practice", () => {
    const other = aChain({ signer, practiceId: "oak", count: 2 });
    const verdict = verify([...those(1), ...other, ...those(2)], { chain: whole });
    expect(verdict).toMatchObject({
      findings: [],
      chains: [
        { practiceId: "elm", last: 2 },
        { practiceId: "oak", last: 2 },
      ],
    });
  });

  test("goes on under a new key while the old one is given too", () => {
    const next = aSigner("the key after it");
    const fourth = receiptText(aReceipt(next, { sequence: 4, previousReceiptHash: receiptHash(chain[2] ?? "") }));
    const lines = [...those(1, 2, 3), fourth];
    expect(verify(lines, { chain: whole, by: [next.key, signer.key] }).findings).toEqual([]);
    expect(verify(lines, { chain: whole, by: [next.key] }).findings.map(({ problem }) => problem)).toEqual([
      "unknown-key",
      "unknown-key",
      "unknown-key",
      "gap",
    ]);
  });
});

describe("a file of public keys", () => {
  test("is a set or one key; what it calls a key counts for nothing, and other kinds are passed over", () => {
    const impostor = { ...receiptKey(aSigner("an impostor").key.x), kid: signer.key.kid };
    const set = { keys: [{ kty: "RSA", n: "x", e: "AQAB" }, impostor] };
    expect(readReceiptKeys(JSON.stringify(set))).toEqual([aSigner("an impostor").key]);
    expect(readReceiptKeys(JSON.stringify(signer.key))).toEqual([signer.key]);
  });

  test.each(["", "null", "{}", '{"keys":[]}', '{"keys":[{"kty":"OKP","crv":"Ed25519","x":"short"}]}', "not JSON"])(
    "without one is none: %s",
    (text) => {
      expect(readReceiptKeys(text)).toBeUndefined();
    },
  );

  test("names the key in use first, and each before it once", () => {
    const secret = createHash("sha256").update("the practice's service").digest("base64");
    const before = aSigner("before").key;
    expect(publishedKeys(secret, [before.x, signer.key.x])).toEqual([signer.key, before]);
  });
});
