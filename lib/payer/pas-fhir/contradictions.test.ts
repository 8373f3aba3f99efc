import { describe, expect, test } from "vitest";
import { aBuild } from "#test/support/payer/pas/build";
import type { Json } from "#test/support/payer/pas/reply";
import { concept, halved, item, lines, meant, review, sentWith, terms } from "#test/support/payer/pas/response";
import { pasFhir } from "./connector.ts";
import { readFrozenRequest, type FrozenRequest } from "./frozen-request.ts";
import { extensions, systems } from "./vocabulary.ts";

const extension = (url: string, value: Json) => ({ url, ...value });
const detail = (...parts: Json[]) => extension(extensions.itemAuthorizedDetail, { extension: parts });
const quantity = (value: number) => extension("quantity", { valueQuantity: { value, code: "VS" } });
const service = (code: string) => extension("productOrServiceCode", { valueCodeableConcept: { coding: [{ code }] } });
const valid = (start: string, end: string) => ({ start, end });
const period = (start: string, end: string) =>
  extension(extensions.itemPreAuthPeriod, { valuePeriod: valid(start, end) });
const stay = (admission: string, discharge: string) => [
  extension(extensions.admissionDates, { valueDate: admission }),
  extension(extensions.dischargeDate, { valueDate: discharge }),
];
const provider = (reference: Json) =>
  extension(extensions.itemAuthorizedProvider, { extension: [{ url: "provider", valueReference: reference }] });
const npi = (value: string) => ({ identifier: { system: systems.npi, value } });

const actionCode = (code: string) =>
  extension(extensions.reviewActionCode, { valueCodeableConcept: concept(systems.reviewAction, code) });
/** One action with two codes of the same list. */
const torn = [
  {
    extension: [
      extension(extensions.reviewAction, {
        extension: [
          extension(extensions.reviewActionCode, {
            valueCodeableConcept: { coding: ["A1", "A3"].map((code) => ({ system: systems.reviewAction, code })) },
          }),
        ],
      }),
    ],
  },
];
const modified = { modifierExtension: [{ url: "https://payer.example/not-in-force", valueBoolean: true }] };

describe("an action code is not the whole answer", () => {
  const sent: FrozenRequest = { ...sentWith({ items: [1] }), providers: new Map([["urn:uuid:role", ["1234567893"]]]) };
  const certified = (...extensionsOfItem: Json[]) => ({ item: [item(1, "A1", { extension: extensionsOfItem })] });

  test.each<[string, Json]>([
    ["0 of 12 visits", certified(detail(quantity(0)))],
    ["1 of 12 visits", certified(detail(quantity(1)))],
    ["1 of 12 visits, in an added item", { ...certified(), addItem: [{ itemSequence: [1], quantity: { value: 1 } }] }],
    ["a validity that ended in 2020", certified(period("2020-01-01", "2020-12-31"))],
    [
      "a validity of the whole that ended in 2020",
      { ...certified(), preAuthPeriod: valid("2020-01-01", "2020-12-31") },
    ],
    ["a validity that ends before the service does", certified(period("2026-12-01", "2026-12-15"))],
    ["a stay on other days", certified(...stay("2027-03-01", "2027-03-02"))],
    ["a stay that ends before it was asked to", certified(...stay("2026-12-01", "2026-12-04"))],
    [
      "a stay on other days, in an added item",
      { ...certified(), addItem: [{ itemSequence: [1], extension: stay("2027-03-01", "2027-03-02") }] },
    ],
    ["two discharges", certified(...stay("2026-12-01", "2026-12-31"), ...stay("2026-12-01", "2026-12-04"))],
    ["a discharge in a month alone", certified(...stay("2026-12-01", "2027-01"))],
    ["another provider", certified(provider(npi("1999999992")))],
    ["a provider nobody can identify", certified(provider({ reference: "urn:uuid:nobody" }))],
    ["another provider for the whole", { ...certified(), extension: [provider(npi("1999999992"))] }],
    ["A3 for the whole", { ...certified(), adjudication: review("A3") }],
    ["A4 for the whole", { ...certified(), adjudication: review("A4") }],
    ["an unknown action for the whole", { ...certified(), adjudication: review("ZZ") }],
    ["two quantities, the first as asked", certified(detail(quantity(12)), detail(quantity(1)))],
    ["two quantities in one place, the first as asked", certified(detail(quantity(12), quantity(1)))],
    ["two procedures in one place, the first as asked", certified(detail(service("97110"), service("97112")))],
    [
      "two validities, the first as needed",
      certified(period("2026-11-20", "2027-02-18"), period("2020-01-01", "2020-02-01")),
    ],
    ["a second code of the action", { item: [{ itemSequence: 1, adjudication: torn }] }],
    ["a second action code", { item: [{ itemSequence: 1, adjudication: review("A1", [actionCode("A3")]) }] }],
    ["a modifier extension on the item", { item: [item(1, "A1", modified)] }],
    [
      "a modifier extension on the adjudication",
      { item: [{ itemSequence: 1, adjudication: [{ ...review("A1")[0], ...modified }] }] },
    ],
    ["a modifier extension on the whole", { ...certified(), ...modified }],
    ["the outcome queued", { ...certified(), outcome: "queued" }],
  ])("A1 with %s is for a person", (_, response) => {
    expect(meant(response, sent)).toMatchObject({ type: "unclear" });
  });

  test("A1 for the procedure with a modifier nobody asked for is for a person", () => {
    const [call] = pasFhir.build(aBuild());
    const own = call && readFrozenRequest(call);
    const modifier = concept(systems.quantity, "52");
    const named = certified(detail(extension("modifier", { valueCodeableConcept: modifier })));
    expect(meant(named, own)).toMatchObject({ type: "unclear" });
    const instead = { ...certified(), addItem: [{ itemSequence: [1], modifier: [modifier] }] };
    expect(meant(instead, own)).toMatchObject({ type: "unclear" });
  });

  test("A1 under another revenue code than was asked is for a person", () => {
    const own: FrozenRequest = { ...sent, items: new Map([[1, { ...terms, revenue: "0420" }]]) };
    const revenue = concept("https://www.nubc.org/revenue-code", "0421");
    const named = certified(detail(extension("revenue", { valueCodeableConcept: revenue })));
    expect(meant(named, own)).toMatchObject({ type: "unclear" });
    expect(meant({ ...certified(), addItem: [{ itemSequence: [1], revenue }] }, own)).toMatchObject({
      type: "unclear",
    });
  });

  test("A1 whose validity was over before the request was made is for a person, though neither names a day of service", () => {
    const undated = { ...terms, from: undefined, to: undefined };
    const late: FrozenRequest = { ...sent, items: new Map([[1, undated]]), madeAt: new Date("2026-12-01T10:00:00Z") };
    const old = { ...certified(period("2020-01-01", "2020-02-01")), created: "2020-01-01T10:00:00-06:00" };
    expect(meant(old, late)).toMatchObject({ type: "unclear" });
    expect(meant({ ...old, ...certified(period("2026-11-20", "2027-02-18")) }, late)).toMatchObject({
      type: "decided",
    });
  });

  test("A1 that authorizes the requesting provider, where the request names another for the service, is for a person", () => {
    const requested = { ...terms, providers: ["1234567893"] };
    const both = new Map([...sent.providers, ["urn:uuid:asking", ["1999999992"]] as const]);
    const named: FrozenRequest = { ...sent, items: new Map([[1, requested]]), providers: both };
    expect(meant(certified(provider({ reference: "urn:uuid:asking" })), named)).toMatchObject({ type: "unclear" });
    expect(meant(certified(provider({ reference: "urn:uuid:role" })), named)).toMatchObject({ type: "decided" });
  });

  test("what says the same twice says it once", () => {
    const twice = certified(detail(quantity(12)), detail(quantity(12)));
    expect(meant(twice, sent)).toMatchObject({ determination: { outcome: "approved" } });
  });

  test("A1 for another procedure leaves open whether the payer has this request or another", () => {
    expect(meant(certified(detail(service("97112"))), sent)).toMatchObject({ type: "unknown" });
  });

  test("A1 with the outcome error leaves open whether the payer has the request at all", () => {
    expect(meant({ ...certified(), outcome: "error" }, sent)).toMatchObject({ type: "unknown" });
  });

  test.each<[string, Json]>([
    ["to 0 visits", { addItem: [{ itemSequence: [1], quantity: { value: 0 } }] }],
    ["to nothing it says", {}],
    ["to what was asked for", { addItem: [{ itemSequence: [1], productOrService: concept("x", "97110") }] }],
    ["with another provider", { addItem: [{ itemSequence: [1], ...halved, provider: [npi("1999999992")] }] }],
  ])("A6 %s is for a person", (_, response) => {
    expect(meant({ item: [item(1, "A6")], ...response }, sent)).toMatchObject({ type: "unclear" });
  });

  test("A1 that repeats exactly what was asked, from the provider who was asked for, is an approval", () => {
    const repeated = certified(
      detail(quantity(12), service("97110")),
      period("2026-11-20", "2027-02-18"),
      provider({ reference: "urn:uuid:role" }),
    );
    const whole = { adjudication: review("A1"), outcome: "complete" };
    expect(meant({ ...repeated, ...whole }, sent)).toMatchObject({ determination: { outcome: "approved" } });
  });

  test("what contradicts it is told by line and quantity", () => {
    expect(meant(certified(detail(quantity(1))), sent)).toEqual({
      type: "unclear",
      reason: "The payer's reply contradicts itself or the request. Line 1 (A1) is certified for 1 of 12.",
    });
  });
});

describe("a decision on the request as a whole, without items", () => {
  const number = { url: extensions.authorizationNumber, valueString: "AUTH-9" };

  test("is the decision on each of them", () => {
    const answer = meant({ adjudication: review("A1"), extension: [number], outcome: "complete" });
    expect(answer).toMatchObject({ determination: { outcome: "approved", authorizationNumber: "AUTH-9" } });
    expect(lines(answer)).toMatchObject([
      { sequence: 1, action: "A1", authorized: terms },
      { sequence: 2, action: "A1", authorized: terms },
    ]);
    expect(meant({ adjudication: review("A3") })).toMatchObject({ determination: { outcome: "denied" } });
    expect(meant({ adjudication: review("A4") })).toMatchObject({ type: "accepted" });
    expect(meant({ adjudication: review("C") })).toMatchObject({ type: "cancelled" });
  });

  test.each<[string, Json]>([
    ["a part, and not which", { adjudication: review("A2") }],
    ["a change, and not to what", { adjudication: review("A6") }],
    ["an action nobody knows", { adjudication: review("ZZ") }],
    ["two actions", { adjudication: [...review("A1"), ...review("A3")] }],
    ["a validity that ended in 2020", { adjudication: review("A1"), preAuthPeriod: valid("2020-01-01", "2020-12-31") }],
  ])("that says %s is for a person", (_, response) => {
    expect(meant(response)).toMatchObject({ type: "unclear" });
  });

  test("that says nothing at all is not understood", () => {
    expect(meant({})).toMatchObject({ type: "unknown" });
  });
});
