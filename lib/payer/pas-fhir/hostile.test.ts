import fc from "fast-check";
import { expect, test } from "vitest";
import { aBuild, aReview } from "#test/pas/build";
import { aReplyTo, type Json } from "#test/pas/reply";
import { answerOf } from "./answer.ts";
import { pasFhir } from "./connector.ts";
import { readSent } from "./sent.ts";

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
  const sent = call && readSent(call);
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
      expect(["decided", "unknown", "rejected", "accepted"]).toContain(answer?.type);
    }),
    { numRuns: 1000 },
  );
});
