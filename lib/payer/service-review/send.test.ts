import { describe, expect, test } from "vitest";
import type { PayerAnswer, Build } from "#lib/payer/connector";
import { documentDigest } from "#lib/payer/digest";
import { aReviewBuild, anUpdate, transportTo } from "#test/support/payer/service-review/build";
import { aClearinghouse, marked, refusal, type Script } from "#test/support/payer/service-review/clearinghouse";
import { serviceReview } from "./connector.ts";

const actions = {
  POST: (url: string) => aReviewBuild({ url }),
  PUT: (url: string) => anUpdate(aReviewBuild({ url }), {}, serviceReview.build(aReviewBuild({ url }))),
  DELETE: (url: string) => aReviewBuild({ url, action: "void", payerReference: "SR-1" }),
} as const satisfies Record<string, (url: string) => Build>;
type Method = keyof typeof actions;

/** What the connector makes of a clearinghouse that says only this. */
async function answered(method: Method, script: Script, environment: "live" | "test" = "test"): Promise<PayerAnswer> {
  const { url } = await aClearinghouse(() => script);
  const transport = transportTo(url);
  const route = transport.route && { ...transport.route, environment };
  return (await serviceReview.send(serviceReview.build(actions[method](url)), { ...transport, route })).answer;
}

const at = (Location: string) => ({ headers: { ...marked, Location } });
const accepted = (reference: string) => ({ type: "accepted", reference });

test.each<[Method, Script, object]>([
  ["POST", { status: 202, ...at("https://elsewhere.test/v2/service-reviews/SR-1") }, accepted("SR-1")],
  ["POST", { status: 202, ...at("/availity/v2/service-reviews/0001233411/") }, accepted("0001233411")],
  ["POST", { status: 202 }, { type: "unknown" }],
  ["POST", { status: 202, ...at("/v2/service-reviews") }, { type: "unknown" }],
  ["POST", { status: 202, ...at("/v2/service-reviews/a%2Fb") }, { type: "unknown" }],
  ["POST", { status: 202, ...at("/v2/coverages/1") }, { type: "unknown" }],
  ["POST", { status: 200, body: { id: "SR-1", statusCode: "A1" } }, { type: "unknown" }],
  ["POST", { status: 201, ...at("/v2/service-reviews/SR-1") }, { type: "unknown" }],
  ["POST", { status: 204 }, { type: "unknown" }],
  ["POST", { status: 400, body: refusal }, { type: "rejected", correction: "correctable" }],
  ["POST", { status: 422, body: refusal }, { type: "rejected", correction: "correctable" }],
  ["POST", { status: 400, body: "<html>" }, { type: "unknown" }],
  ["POST", { status: 400, body: {} }, { type: "unknown" }],
  ["POST", { status: 404 }, { type: "unknown" }],
  ["POST", { status: 409, body: refusal }, { type: "unknown" }],
  ["POST", { status: 408, body: refusal }, { type: "unknown" }],
  ["PUT", { status: 202 }, accepted("SR-1")],
  ["PUT", { status: 202, ...at("/v2/service-reviews/SR-1") }, accepted("SR-1")],
  ["PUT", { status: 202, ...at("/v2/service-reviews/SR-2") }, { type: "unknown" }],
  ["PUT", { status: 400, body: refusal }, { type: "rejected", correction: "correctable" }],
  ["PUT", { status: 409, body: refusal }, { type: "rejected", correction: "correctable" }],
  ["PUT", { status: 204 }, { type: "unknown" }],
  ["DELETE", { status: 204 }, { type: "cancelled", reference: "SR-1" }],
  ["DELETE", { status: 202 }, accepted("SR-1")],
  ["DELETE", { status: 202, ...at("/v2/service-reviews/SR-2") }, { type: "unknown" }],
  ["DELETE", { status: 200 }, { type: "unknown" }],
  ["DELETE", { status: 404, body: refusal }, { type: "rejected", correction: "final" }],
  ["DELETE", { status: 409, body: refusal }, { type: "rejected", correction: "final" }],
  ["DELETE", { status: 404 }, { type: "unknown" }],
])("%s answered %j", async (method, script, expected) => {
  expect(await answered(method, script)).toMatchObject(expected);
});

describe.each<Method>(["POST", "PUT", "DELETE"])("whatever is done, %s answered", (method) => {
  test.each<[number, Readonly<Record<string, string>>, object]>([
    [401, {}, { type: "notSent", retryAfterMs: undefined }],
    [403, {}, { type: "notSent", retryAfterMs: undefined }],
    [403, { "Content-Type": "application/json" }, { type: "rejected" }],
    [429, {}, { type: "notSent", retryAfterMs: undefined }],
    [429, { "Retry-After": "7" }, { type: "notSent", retryAfterMs: 7000 }],
    [503, { "Retry-After": "120" }, { type: "unknown", retryAfterMs: 120_000 }],
    [503, {}, { type: "unknown" }],
    [500, marked, { type: "unknown" }],
    [502, { "Retry-After": "1" }, { type: "unknown" }],
    [301, { Location: "/elsewhere" }, { type: "unknown" }],
    [303, { Location: "/v2/service-reviews/SR-1" }, { type: "unknown" }],
  ])("HTTP %i with %j", async (status, headers, expected) => {
    expect(await answered(method, { status, headers, body: refusal })).toMatchObject(expected);
  });

  test("without the test marker on a test route is not understood, and may be a live payer", async () => {
    const taken = { Location: "/v2/service-reviews/SR-1" };
    for (const status of [202, 204, 400]) {
      expect(await answered(method, { status, headers: taken, body: refusal })).toMatchObject({
        type: "unknown",
        reason: expect.stringContaining("lacks the test marker"),
      });
    }
  });

  test("with the test marker on a live route decides nothing", async () => {
    const taken = { ...marked, Location: "/v2/service-reviews/SR-1" };
    expect(await answered(method, { status: 202, headers: taken }, "live")).toMatchObject({
      type: "unknown",
      reason: expect.stringContaining("carries the test marker"),
    });
  });
});

test("a refusal says which field, in the sender's words and without control characters", async () => {
  const errors = [{ field: "patient\u0007.birthDate", code: 58, errorMessage: "is missing" }, ...refusal.errors];
  expect(await answered("POST", { status: 400, body: { ...refusal, errors } })).toEqual({
    type: "rejected",
    correction: "correctable",
    reason:
      "The payer refused the request (HTTP 400): patient .birthDate: is missing (58); procedures.code[1]: is not covered here (72).",
  });
});

test("what leaves is exactly the frozen bytes, with a token and nothing else added", async () => {
  const { url, seen } = await aClearinghouse(() => ({ status: 202, ...at("/v2/service-reviews/SR-1") }));
  const calls = serviceReview.build(aReviewBuild({ url }));
  await serviceReview.send(calls, transportTo(url));
  const [call] = calls;
  expect(seen).toHaveLength(1);
  expect(documentDigest(Buffer.from(seen[0]?.body ?? "", "utf8"))).toBe(documentDigest(call?.body ?? new Uint8Array()));
  expect(seen[0]?.headers).toEqual({
    host: new URL(url).host,
    connection: "close",
    accept: "application/json",
    "accept-encoding": "identity",
    "content-type": "application/json",
    "content-length": String(call?.body.byteLength),
    authorization: "Bearer token-1",
  });
});

test("a void has no body and says of none", async () => {
  const { url, seen } = await aClearinghouse(() => ({ status: 204 }));
  await serviceReview.send(serviceReview.build(actions.DELETE(url)), transportTo(url));
  expect(seen).toMatchObject([{ method: "DELETE", path: "/v2/service-reviews/SR-1", body: "" }]);
  expect(Object.keys(seen[0]?.headers ?? {})).not.toContain("content-type");
});

test("a route without its client secret sends nothing", async () => {
  const { url, seen } = await aClearinghouse(() => ({ status: 202 }));
  const calls = serviceReview.build(aReviewBuild({ url }));
  const { answer } = await serviceReview.send(calls, transportTo(url, { credential: undefined }));
  expect(answer).toEqual({ type: "notSent", reason: "The connection has no client secret.", retryAfterMs: undefined });
  expect(seen).toEqual([]);
});
