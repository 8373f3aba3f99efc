import fc from "fast-check";
import { expect, test } from "vitest";
import type { Exchange } from "#lib/platform/outbound/exchange";
import { aReview, aReviewBuild } from "#test/support/payer/service-review/build";
import { recordOf } from "#test/support/payer/service-review/clearinghouse";
import { answerOf, reviewAnswer, searchAnswer } from "./answer.ts";
import { build } from "./build.ts";
import { readFrozenRequest, type FrozenRequest } from "./frozen-request.ts";

const review = aReview({ procedures: [{ code: "97110" }, { code: "97112" }] });
const call = build(aReviewBuild({ review }));
const sent = readFrozenRequest(call) as FrozenRequest;
const receivedAt = new Date("2026-11-20T12:00:01Z");
const context = { requested: review, payers: ["P1000"], requestedAt: receivedAt, unconfirmed: false };
const about = { sent, others: [], voiding: undefined, ...context, test: true, receivedAt };
const denial = recordOf(call, { statusCode: "A3" });

const replied = (status: number, body: unknown, headers: object = {}): Exchange => ({
  kind: "reply",
  status,
  contentType: "application/json",
  headers: { "x-api-mock-response": "true", ...headers },
  retryAfterMs: undefined,
  bytes: Buffer.from(JSON.stringify(body)),
});

/** Every address of a value inside a JSON value. */
function pathsOf(value: unknown): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [[]];
  const inner = Object.entries(value).flatMap(([key, each]) =>
    pathsOf(each).map((path) => [Array.isArray(value) ? Number(key) : key, ...path]),
  );
  return [[], ...inner];
}

const junk = fc.oneof(fc.jsonValue(), fc.constantFrom("A1", "A2", "A6", "NA", "4", "0", 4, null, [], {}));

function damaged(path: readonly (string | number)[], damage: unknown): unknown {
  const reply = { it: structuredClone(denial) as unknown };
  const steps = ["it", ...path];
  const last = steps.pop() as string;
  const parent = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], reply);
  (parent as Record<string, unknown>)[last] = damage;
  return reply.it;
}

test("no damage to a denial makes it an approval unless it says so in the one place that counts, and nothing throws", () => {
  fc.assert(
    fc.property(fc.constantFrom(...pathsOf(denial)), junk, (path, damage) => {
      const body = damaged(path, damage);
      for (const answer of [
        reviewAnswer(about, "SR-1", replied(200, body)),
        searchAnswer(about, replied(200, { serviceReviews: [body] })),
      ]) {
        if (answer === "gone" || answer.type !== "match" || answer.answer.type !== "decided") continue;
        const statusCode = path.join(".") === "statusCode" ? damage : "A3";
        expect(answer.answer.determination.lines.map(({ action }) => action)).toEqual([statusCode, statusCode]);
      }
    }),
    { numRuns: 2000 },
  );
});

test("whatever bytes and statuses come back to a request, there is one answer, and none is a decision", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 100, max: 599 }),
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.json().map((text) => Buffer.from(text)),
      ),
      fc.constantFrom("application/json", "text/html", ""),
      fc.oneof(fc.string(), fc.constant("/v2/service-reviews/SR-1")),
      (status, bytes, contentType, location) => {
        const exchange: Exchange = {
          kind: "reply",
          status,
          contentType,
          headers: { "x-api-mock-response": "true", location },
          retryAfterMs: undefined,
          bytes,
        };
        const answer = answerOf(sent, true, exchange);
        expect(["accepted", "rejected", "notSent", "unknown"]).toContain(answer.type);
        if (answer.type === "accepted") expect(status).toBe(202);
      },
    ),
    { numRuns: 2000 },
  );
});

test("nesting without end is not understood, and does not end the process", () => {
  const deep = Buffer.from(`{"id":"SR-1","procedures":${"[".repeat(100_000)}${"]".repeat(100_000)}}`);
  const exchange = { ...replied(200, {}), bytes: deep } as Exchange;
  expect(reviewAnswer(about, "SR-1", exchange)).toMatchObject({ type: "unknown" });
});
