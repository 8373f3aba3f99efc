import { describe, expect, test } from "vitest";
import type { PayerAnswer } from "#lib/payer/connector";
import type { Json } from "#test/support/pas/reply";
import { item, meant, review, sentWith } from "#test/support/pas/response";
import { answerOf } from "./answer.ts";
import { extensions } from "./vocabulary.ts";

const sent = sentWith({ items: [1] });
const certified = { item: [item(1, "A1")] };
const itemWith = (members: Json) => ({ item: [item(1, "A1", members)] });
const [refusal] = review("A3");
const quantity = (value: Json) => ({
  extension: [{ url: extensions.itemAuthorizedDetail, extension: [{ url: "quantity", valueQuantity: value }] }],
});
const opinion = { url: "secondSurgicalOpinionFlag", valueBoolean: true };

/** The answer A1 to that request, with these resources beside it. */
function accompanied(...beside: Json[]): PayerAnswer {
  const response = {
    resourceType: "ClaimResponse",
    status: "active",
    use: "preauthorization",
    patient: { reference: sent.patientUrl },
    request: { reference: sent.claimUrl },
    created: "2026-12-02T10:00:00-06:00",
    ...certified,
  };
  const entry = [response, ...beside].map((resource, index) => ({ fullUrl: `urn:uuid:${index}`, resource }));
  return answerOf(sent, {
    kind: "reply",
    status: 200,
    contentType: "application/fhir+json",
    headers: {},
    retryAfterMs: undefined,
    bytes: Buffer.from(JSON.stringify({ resourceType: "Bundle", type: "collection", entry })),
  });
}

const outcome = (severity: string) => ({
  resourceType: "OperationOutcome",
  issue: [{ severity, code: "processing" }],
});

describe("an approval that says more than approval is for a person:", () => {
  test.each<[string, Json]>([
    ["a detail of the item is denied", itemWith({ detail: [{ detailSequence: 1, adjudication: [refusal] }] })],
    [
      "a part of a detail is denied",
      itemWith({
        detail: [
          { detailSequence: 1, adjudication: [], subDetail: [{ subDetailSequence: 1, adjudication: [refusal] }] },
        ],
      }),
    ],
    ["a second surgical opinion is required", { item: [{ itemSequence: 1, adjudication: review("A1", [opinion]) }] }],
    ["a second surgical opinion of the whole", { ...certified, adjudication: review("A1", [opinion]) }],
    ["fewer than was asked", itemWith(quantity({ value: 12, comparator: "<", code: "VS" }))],
    [
      "an added item of fewer",
      { ...certified, addItem: [{ itemSequence: [1], quantity: { value: 12, comparator: "<" } }] },
    ],
    [
      "a detail of an added item",
      { ...certified, addItem: [{ itemSequence: [1], detail: [{ adjudication: [refusal] }] }] },
    ],
    ["rules of another guide", { ...certified, implicitRules: "https://payer.example/rules" }],
    ["a denial beside the adjudication", itemWith({ extension: refusal?.extension })],
    ["a denial beside the items", { ...certified, extension: refusal?.extension }],
    [
      "a denial contained in it",
      { ...certified, contained: [{ resourceType: "ClaimResponse", id: "a", adjudication: review("A3") }] },
    ],
    ["another unit system", itemWith(quantity({ value: 12, system: "http://unitsofmeasure.org", code: "d" }))],
    ["a unit in words", itemWith(quantity({ value: 12, unit: "minutes" }))],
    [
      "a patient contained",
      { ...certified, patient: { reference: "#p" }, contained: [{ resourceType: "Patient", id: "p" }] },
    ],
    ["an item that was not asked", { item: [item(1, "A1"), item(2, "A1")] }],
    [
      "a validity of the item that ended",
      {
        ...itemWith({
          extension: [{ url: extensions.itemPreAuthPeriod, valuePeriod: { start: "2026-12-01", end: "2026-12-02" } }],
        }),
        preAuthPeriod: { start: "2026-12-01", end: "2026-12-31" },
      },
    ],
    ["an estimate", { ...certified, use: "predetermination" }],
    [
      "authorized dates",
      {
        ...itemWith({
          extension: [{ url: extensions.itemAuthorizedDate, valuePeriod: { start: "2027-01-01", end: "2027-01-02" } }],
        }),
        preAuthPeriod: { start: "2026-12-01", end: "2026-12-31" },
      },
    ],
  ])("%s", (_, response) => {
    expect(meant(response, sent)).toMatchObject({ type: expect.stringMatching(/^(?:unclear|unknown)$/) });
  });

  test.each<[string, Json]>([
    ["an error", outcome("error")],
    ["a failure", outcome("fatal")],
    ["a second ClaimResponse", { resourceType: "ClaimResponse", status: "active" }],
    [
      "a Bundle with a denial",
      {
        resourceType: "Bundle",
        type: "collection",
        entry: [{ resource: { resourceType: "ClaimResponse", item: [{ itemSequence: 1, adjudication: [refusal] }] } }],
      },
    ],
  ])("with %s beside it", (_, beside) => {
    expect(accompanied(beside)).toMatchObject({ type: expect.stringMatching(/^(?:unclear|unknown)$/) });
  });

  test("and what only informs changes nothing", () => {
    expect(accompanied(outcome("information"))).toMatchObject({ determination: { outcome: "approved" } });
    expect(
      meant({ item: [{ itemSequence: 1, adjudication: review("A1", [{ ...opinion, valueBoolean: false }]) }] }, sent),
    ).toMatchObject({ determination: { outcome: "approved" } });
  });
});
