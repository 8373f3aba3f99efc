import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { expect, test } from "vitest";
import { documentDigest, gateDigest, revisionDigest, type ReleasedContent } from "./digest.ts";

const released: ReleasedContent = {
  taskId: "t-1",
  action: "transmit",
  revision: 2,
  environment: "test",
  routeVersion: 7,
  calls: [{ method: "POST", url: "https://payer.test/fhir/Claim/$submit", documentDigest: "ab" }],
  attachments: [],
};

test("a document digest is the lower-case hex SHA-256 of the bytes", () => {
  expect(documentDigest(Buffer.from("abc"))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("a gate digest is the SHA-256 of the RFC 8785 form anybody can write down", () => {
  const form =
    '{"action":"transmit","attachments":[],"calls":[{"documentDigest":"ab","method":"POST","url":"https://payer.test/fhir/Claim/$submit"}],"environment":"test","revision":2,"routeVersion":7,"taskId":"t-1"}';
  expect(gateDigest(released)).toBe(createHash("sha256").update(form).digest("hex"));
});

test.each(["é", '"\\/', "\u0000\u001f\u007f", "\u2028", "\u{1f600}"])(
  "whatever stands in an address, it is in that form: %j",
  (url) => {
    const calls = [{ method: "POST", url, documentDigest: "ab" }];
    const form = canonicalize({ ...released, calls }) ?? "";
    expect(gateDigest({ ...released, calls })).toBe(createHash("sha256").update(form).digest("hex"));
  },
);

test.each([
  ["the task", { taskId: "t-2" }],
  ["the action", { action: "void" }],
  ["the revision", { revision: 3 }],
  ["the environment", { environment: "live" }],
  ["the route's version", { routeVersion: 8 }],
  ["a call's method", { calls: [{ ...released.calls[0], method: "PUT" }] }],
  ["a call's address", { calls: [{ ...released.calls[0], url: "https://other.test" }] }],
  ["a call's document", { calls: [{ ...released.calls[0], documentDigest: "cd" }] }],
  ["the order of calls", { calls: [] }],
  ["an attachment", { attachments: ["ef"] }],
])("changing %s changes the gate digest", (_, change) => {
  // Safe because each change replaces members by values of their own type.
  expect(gateDigest({ ...released, ...change } as ReleasedContent)).not.toBe(gateDigest(released));
});

test("members nobody named never enter the gate digest", () => {
  const more = { ...released, reviewer: "somebody", calls: released.calls.map((call) => ({ ...call, body: "bytes" })) };
  expect(gateDigest(more)).toBe(gateDigest(released));
});

test("the digest of a revision is the SHA-256 of the RFC 8785 form anybody can write down, with files or without", () => {
  const review = Buffer.from('{"a":[],"b":1}');
  const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");
  expect(revisionDigest(review, [])).toBe(digestOf('{"attachments":[],"serviceReview":{"a":[],"b":1}}'));
  expect(revisionDigest(review, ["aa", "bb"])).toBe(
    digestOf('{"attachments":["aa","bb"],"serviceReview":{"a":[],"b":1}}'),
  );
});
