import { describe, expect, test } from "vitest";
import type { PayerAnswer } from "#lib/payer/connector";
import type { Json } from "#test/support/payer/pas/reply";
import { item, meant, review, sentWith } from "#test/support/payer/pas/response";
import { answerOf } from "./answer.ts";
import { extensions } from "./vocabulary.ts";

const sent = {
  ...sentWith({ items: [1] }),
  coverage: { url: "urn:uuid:coverage", subscriberId: "M1000", classes: new Map([["group", "G-7"]]) },
};
const certified = { item: [item(1, "A1")] };
const itemWith = (members: Json) => ({ item: [item(1, "A1", members)] });
const [refusal] = review("A3");
const quantity = (value: Json) => ({
  extension: [{ url: extensions.itemAuthorizedDetail, extension: [{ url: "quantity", valueQuantity: value }] }],
});
const because = (code: string) => ({ url: "reasonCode", valueCodeableConcept: { coding: [{ code }] } });
const opinion = { url: "secondSurgicalOpinionFlag", valueBoolean: true };

/** The answer A1 to that request with these members, and with these resources beside it. */
function accompanied(beside: readonly Json[], members: Json = {}): PayerAnswer {
  const response = {
    resourceType: "ClaimResponse",
    status: "active",
    use: "preauthorization",
    patient: { reference: sent.patientUrl },
    request: { reference: sent.claimUrl },
    created: "2026-12-02T10:00:00-06:00",
    ...certified,
    ...members,
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
    ["a reason that asks for more", { item: [{ itemSequence: 1, adjudication: review("A1", [because("0U")]) }] }],
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
    expect(accompanied([beside])).toMatchObject({ type: expect.stringMatching(/^(?:unclear|unknown)$/) });
  });

  test("and what only informs changes nothing", () => {
    expect(accompanied([outcome("information")])).toMatchObject({ determination: { outcome: "approved" } });
    expect(
      meant({ item: [{ itemSequence: 1, adjudication: review("A1", [{ ...opinion, valueBoolean: false }]) }] }, sent),
    ).toMatchObject({ determination: { outcome: "approved" } });
    // PAS has reasons of approvals, too.
    expect(meant({ item: [{ itemSequence: 1, adjudication: review("A1", [because("0V")]) }] }, sent)).toMatchObject({
      determination: { outcome: "approved", lines: [{ reasons: ["0V"] }] },
    });
  });
});

describe("an approval beside a request for more (ClaimResponse.communicationRequest) is for a person", () => {
  const asking = (status: string) => ({
    resourceType: "CommunicationRequest",
    status,
    payload: [{ contentString: "The plan of care." }],
  });
  const naming = (url: string) => ({ communicationRequest: [{ reference: url }] });

  test.each<[string, readonly Json[], Json]>([
    ["that is brought", [asking("active")], naming("urn:uuid:1")],
    ["that nobody can read", [], naming("CommunicationRequest/7")],
    ["that the answer does not name", [asking("active")], {}],
    ["beside one that is over", [asking("completed"), asking("active")], naming("urn:uuid:1")],
  ])("one %s", (_, beside, members) => {
    expect(accompanied(beside, members)).toMatchObject({
      type: "unclear",
      reason: "The payer's reply certifies, and asks for more information.",
    });
  });

  test("one that is over changes nothing", () => {
    expect(accompanied([asking("revoked")], naming("urn:uuid:1"))).toMatchObject({
      determination: { outcome: "approved" },
    });
  });

  test("and a denial that asks for more is a denial that says for what", () => {
    const denied = { ...naming("urn:uuid:1"), item: [item(1, "A3")] };
    expect(accompanied([asking("active")], denied)).toMatchObject({
      determination: { outcome: "denied", notes: ["The payer asks for: The plan of care."] },
    });
  });
});

describe("the coverage that the payer used (ClaimResponse.insurance)", () => {
  const coverage = (members: Json = {}) => ({ resourceType: "Coverage", status: "active", ...members });
  const used = (reference: Json, more: Json = {}) => ({ sequence: 1, focal: true, coverage: reference, ...more });
  const brought = used({ reference: "urn:uuid:1" });
  const group = (value: string) => ({ class: [{ type: { coding: [{ code: "group" }] }, value }] });

  test.each<[string, readonly Json[], Json]>([
    ["of another member", [coverage({ subscriberId: "M2000" })], { insurance: [brought] }],
    ["of another group", [coverage({ subscriberId: "M1000", ...group("G-8") })], { insurance: [brought] }],
    ["that is cancelled", [coverage({ status: "cancelled", subscriberId: "M1000" })], { insurance: [brought] }],
    ["that the answer does not bring", [], { insurance: [used({ reference: "urn:uuid:other" })] }],
    [
      "that is contained, of another member",
      [],
      {
        insurance: [used({ reference: "#c" })],
        contained: [coverage({ id: "c", subscriberId: "M2000" })],
      },
    ],
    [
      "beside ours, which it did not use",
      [coverage({ subscriberId: "M2000" })],
      {
        insurance: [used({ reference: "urn:uuid:coverage" }, { focal: false }), brought],
      },
    ],
    [
      "and another one, both used",
      [coverage({ subscriberId: "M1000" })],
      {
        insurance: [used({ reference: "urn:uuid:coverage" }), brought],
      },
    ],
  ])("is for a person: one %s", (_, beside, members) => {
    for (const action of ["A1", "A3"])
      expect(accompanied(beside, { ...members, item: [item(1, action)] })).toMatchObject({
        type: "unclear",
        reason: "The payer's reply is under another coverage than the request.",
      });
  });

  test.each<[string, readonly Json[], Json]>([
    ["ours by its address", [], { insurance: [used({ reference: "urn:uuid:coverage" })] }],
    [
      "ours under an address of the payer's",
      [coverage({ subscriberId: "m1000", ...group("g-7") })],
      { insurance: [brought] },
    ],
    ["one of the payer's own server", [], { insurance: [used({ reference: "Coverage/77" })] }],
    [
      "ours, and another that it did not use",
      [coverage({ subscriberId: "M2000" })],
      {
        insurance: [used({ reference: "urn:uuid:coverage" }), { ...brought, focal: false }],
      },
    ],
    ["none", [], { insurance: [] }],
  ])("changes nothing: %s", (_, beside, members) => {
    expect(accompanied(beside, members)).toMatchObject({ determination: { outcome: "approved" } });
  });
});
