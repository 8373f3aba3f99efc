import fc from "fast-check";
import { expect, test } from "vitest";
import { aBuild, aReview } from "#test/support/payer/pas/build";
import { aReplyTo, type Json } from "#test/support/payer/pas/reply";
import { example, exampleBytes } from "#test/support/payer/pas/example";
import { official } from "#test/support/payer/pas/official";
import { answerOf, inquiryOf } from "./answer.ts";
import { pasFhir } from "./connector.ts";
import { readPush } from "./push.ts";
import { readFrozenRequest } from "./frozen-request.ts";

/** Every address of a value inside a JSON value. */
function pathsOf(value: unknown): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [[]];
  const inner = Object.entries(value).flatMap(([key, each]) =>
    pathsOf(each).map((path) => [Array.isArray(value) ? Number(key) : key, ...path]),
  );
  return [[], ...inner];
}

test("no damage to a denial makes it an approval, and no answer throws", () => {
  const [call] = pasFhir.build(aBuild({ review: aReview({ subscriber: { memberId: "M-DENY" } }) }));
  const sent = call && readFrozenRequest(call);
  const denial = aReplyTo(call);
  fc.assert(
    fc.property(fc.constantFrom(...pathsOf(denial)), fc.jsonValue(), (path, damage) => {
      const reply = { it: structuredClone(denial) as unknown };
      const steps = ["it", ...path];
      const last = steps.pop() as string;
      const parent = steps.reduce<unknown>((at, step) => (at as Json)[step], reply);
      (parent as Json)[last] = damage;
      const answer =
        sent &&
        answerOf(sent, {
          kind: "reply",
          status: 200,
          contentType: "application/fhir+json",
          headers: {},
          retryAfterMs: undefined,
          bytes: Buffer.from(JSON.stringify(reply.it)),
        });
      expect(answer?.type === "decided" ? answer.determination.outcome : "denied").toBe("denied");
      expect(["decided", "unclear", "unknown", "rejected", "accepted"]).toContain(answer?.type);
    }),
    { numRuns: 1000 },
  );
});

const readAs = (bytes: Uint8Array) =>
  ({
    kind: "reply",
    status: 200,
    contentType: "application/fhir+json",
    headers: {},
    retryAfterMs: undefined,
    bytes,
  }) as const;

/** How good a reply is for the patient; what is not understood or not processed is nothing at all. */
function worth(bytes: Uint8Array): number {
  const answer = answerOf(official, readAs(bytes));
  const inquiry = inquiryOf({ sentRequests: [official], unconfirmed: false }, readAs(bytes));
  const found = inquiry.type === "match" ? inquiry.answer : undefined;
  return Math.max(
    ...[answer, found].map((each) => (each?.type === "decided" ? goodness[each.determination.outcome] : 0)),
  );
}

const goodness = { denied: 1, "partially-approved": 2, modified: 2, "not-required": 3, approved: 3 } as const;

const examples = [
  "2.0.1/Bundle-ErrorResponseBundleExample",
  "2.0.1/Bundle-PASClaimInquiryResponseBundleExample",
  "2.2.1/Bundle-ErrorResponseBundleExample",
  "2.2.1/Bundle-PASClaimInquiryResponseBundleExample",
  "2.2.1/Bundle-ReferralAuthorizationResponseBundleExample",
  "2.2.1/Bundle-ReferralPendingAuthorizationResponseBundleExample",
  "2.2.1/Bundle-RejectionResponseBundleExample",
  "2.2.1/Parameters-PASClaimInquiryOperationResponseExample",
];

/** Replaces or removes the value at a path of a copy. */
function damaged(value: unknown, path: readonly (string | number)[], damage: unknown): Uint8Array {
  const copy = { it: structuredClone(value) };
  const steps = ["it", ...path];
  const last = steps.pop() as string;
  const parent = steps.reduce<unknown>((at, step) => (at as Json)[step], copy) as Json;
  if (damage === undefined) delete parent[last];
  else parent[last] = damage;
  return Buffer.from(JSON.stringify(copy.it ?? null));
}

const damages = fc.oneof(
  fc.jsonValue(),
  fc.constant(undefined),
  fc.constantFrom("", "A9", "__proto__", "constructor", -1, 1e308, [], {}, [[[[]]]], "x".repeat(5000)),
);

test.each(examples)("no damage to the official %s makes it better than it was, and none throws", (name) => {
  const value = example(name);
  const paths = pathsOf(value);
  const before = worth(exampleBytes(name));
  fc.assert(
    fc.property(fc.constantFrom(...paths), damages, (path, damage) => {
      const bytes = damaged(value, path, damage);
      expect(worth(bytes)).toBeLessThanOrEqual(before);
      const pushed = readPush(bytes);
      expect(pushed.ok ? pushed.value.answers.length : 0).toBeLessThanOrEqual(100);
    }),
    { numRuns: 300 },
  );
});

test.each(examples)("the official %s cut short anywhere means nothing", (name) => {
  const bytes = exampleBytes(name);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: bytes.length - 2 }), (length) => {
      expect(worth(bytes.subarray(0, length))).toBe(0);
    }),
    { numRuns: 100 },
  );
});

test("a notification may be anything at all", () => {
  const value = example("2.2.1/Bundle-PASSubscriptionNotification");
  const paths = pathsOf(value);
  fc.assert(
    fc.property(fc.constantFrom(...paths), damages, (path, damage) => {
      const pushed = readPush(damaged(value, path, damage));
      expect(["none", "match", "unclear", "unknown"]).toContain(
        pushed.ok ? pushed.value.match([], false).type : "none",
      );
    }),
    { numRuns: 300 },
  );
});
