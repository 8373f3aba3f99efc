import { describe, expect, test } from "vitest";
import type { Call } from "#lib/payer/connector";
import { anUpdate, transportTo } from "#test/support/payer/service-review/build";
import { aClearinghouse, recordOf, refusal, type Script } from "#test/support/payer/service-review/clearinghouse";
import { asking, inquired, twoLines } from "#test/support/payer/service-review/inquire";
import { serviceReview } from "./connector.ts";

describe("after doubt", () => {
  const page = (...serviceReviews: unknown[]) => ({
    status: 200,
    body: { count: serviceReviews.length, serviceReviews },
  });

  test("the clearinghouse is searched by payer, member, requester and dates", async () => {
    const { seen } = await inquired({ payerReference: undefined, says: () => page() });
    const [request] = seen;
    expect([request?.method, request?.body, seen.length]).toEqual(["GET", "", 1]);
    expect(Object.fromEntries(new URL(request?.path ?? "", "http://x").searchParams)).toEqual({
      "payer.id": "P1000",
      "requestingProvider.npi": "1234567893",
      "subscriber.memberId": "M1000",
      "patient.lastName": "Testperson",
      "patient.firstName": "Robin",
      "patient.birthDate": "1980-02-29",
      "patient.subscriberRelationshipCode": "18",
      requestTypeCode: "HS",
      fromDate: "2026-12-01",
      toDate: "2026-12-31",
    });
  });

  test("only the case that hands back our very trace number is ours", async () => {
    const { answer } = await inquired({
      payerReference: undefined,
      says: (call) =>
        page(
          recordOf(call, { id: "SR-8", statusCode: "A1", providerNotes: [] }),
          recordOf(call, { id: "SR-9", statusCode: "A4" }),
        ),
    });
    expect(answer).toMatchObject({ type: "match", answer: { type: "accepted", reference: "SR-9" } });
  });

  test("a case that is still being worked on is a match as well: it is there", async () => {
    const says = (call: Call) => page(recordOf(call, { statusCode: "0" }));
    const { answer } = await inquired({ payerReference: undefined, says });
    expect(answer).toEqual({ type: "match", answer: { type: "accepted", reference: "SR-1" } });
  });

  test.each<[string, (call: Call) => Script, string]>([
    ["nothing", () => page(), "none"],
    ["a search that is still running", () => ({ status: 202 }), "none"],
    ["our case under another member", (call) => page(recordOf(call, { subscriber: { memberId: "M2" } })), "unknown"],
    ["another case", (call) => page(recordOf(call, { providerNotes: [{ message: "Trace number X-1-T" }] })), "none"],
    ["our case twice", (call) => page(recordOf(call), recordOf(call, { id: "SR-2" })), "unknown"],
    ["our case under no id", (call) => page(recordOf(call, { id: "../x", statusCode: "0" })), "unknown"],
    ["no list", () => ({ status: 200, body: {} }), "unknown"],
    ["a list of something else", () => page("SR-1"), "unknown"],
    ["no marker", (call) => ({ ...page(recordOf(call)), headers: { "Content-Type": "application/json" } }), "unknown"],
  ])("a search that finds %s is %s", async (_, says, expected) => {
    expect((await inquired({ payerReference: undefined, says })).answer.type).toBe(expected);
  });

  test.each([404, 410])("a case that is gone by its id (HTTP %i) is searched for", async (status) => {
    const { answer, paths } = await inquired({
      says: (call, { path }) =>
        path.includes("?") ? page(recordOf(call, { id: "SR-2", statusCode: "A1" })) : { status, body: refusal },
    });
    expect(paths).toEqual(["/v2/service-reviews/SR-1", "/v2/service-reviews"]);
    expect(answer).toMatchObject({ answer: { determination: { reference: "SR-2" } } });
  });

  test("a reference that is no id is never put in an address", async () => {
    const { paths } = await inquired({ payerReference: "../../etc", says: () => page() });
    expect(paths).toEqual(["/v2/service-reviews"]);
  });
});

describe("after an update", () => {
  async function afterUpdate(shown: (first: Call, update: Call) => Call, notes: object = {}, unconfirmed = false) {
    const { url } = await aClearinghouse(() => ({
      status: 200,
      body: recordOf(first, { ...recordOf(shown(first, update)), id: "SR-1", statusCode: "A1", ...notes }),
    }));
    const from = twoLines(url);
    const [first] = serviceReview.build(from) as [Call];
    const revised = anUpdate(from, {}, [first]);
    const [update] = serviceReview.build(revised) as [Call];
    return (await serviceReview.inquire(asking(revised, { sent: [update], unconfirmed }), transportTo(url))).answer;
  }

  test("what the clearinghouse still shows of the revision before is no answer to it", async () => {
    expect(await afterUpdate((first) => first)).toEqual({ type: "none" });
  });

  test("what it shows without any trace number is, unless the update is in doubt", async () => {
    const bare = { providerNotes: [] };
    expect((await afterUpdate((_, update) => update, bare)).type).toBe("match");
    expect(await afterUpdate((_, update) => update, bare, true)).toEqual({ type: "none" });
  });

  test("what it shows under the update's own trace number is", async () => {
    expect(await afterUpdate((_, update) => update)).toMatchObject({
      answer: { determination: { outcome: "approved" } },
    });
  });
});

test("nothing that was sent by hand is asked about on the wire", async () => {
  const { answer, seen } = await inquired({ sent: [], says: () => ({ status: 500 }) });
  expect([answer.type, seen]).toEqual(["unknown", []]);
});
