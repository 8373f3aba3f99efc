import { describe, expect, test } from "vitest";
import type { Json } from "#test/support/payer/pas/reply";
import { concept, halved, item, lines, meant, review, sentWith, terms } from "#test/support/payer/pas/response";
import { lastAuthorizedDay } from "#lib/task/model/determination";
import type { FrozenRequest } from "./frozen-request.ts";
import { extensions, systems } from "./vocabulary.ts";

/** The first item, certified, with one more extension. */
const dated = (url: string, value: Json) => item(1, "A1", { extension: [{ url, ...value }] });

describe("what was authorized", () => {
  test("is what was asked where everything was certified and nothing is repeated", () => {
    expect(lines(meant({ item: [item(1, "A1"), item(2, "A1")] }))).toMatchObject([
      { requested: terms, authorized: terms },
      { requested: terms, authorized: terms },
    ]);
  });

  test.each<[string, Json]>([
    ["a year for the whole", { preAuthPeriod: { start: "2025", end: "2025" } }],
    [
      "a month for a line",
      { item: [dated(extensions.itemPreAuthPeriod, { valuePeriod: { start: "2026-12" } }), item(2, "A1")] },
    ],
    [
      "a month as the day of a line",
      { item: [dated(extensions.itemAuthorizedDate, { valueDate: "2026-12" }), item(2, "A1")] },
    ],
    ["a day that is none", { preAuthPeriod: { start: "2026-12-01", end: "2026-12-32" } }],
  ])("is for a person where its dates are %s", (_, members) => {
    expect(meant({ item: [item(1, "A1"), item(2, "A1")], ...members })).toMatchObject({ type: "unclear" });
  });

  test.each(["A2", "A3", "NA"])("is not made up for %s", (action) => {
    expect(lines(meant({ item: [item(1, action), item(2, action)] }))).toMatchObject([
      { action, requested: terms, authorized: undefined },
      { action, authorized: undefined },
    ]);
  });

  test("stands in the item that replaces a modified one", () => {
    const addItem = [{ itemSequence: [2], adjudication: review("A1"), ...halved }];
    const answer = meant({ item: [item(1, "A1"), item(2, "A6")], addItem });
    expect(answer).toMatchObject({ determination: { outcome: "modified" } });
    expect(lines(answer)).toMatchObject([
      { sequence: 1, action: "A1" },
      {
        sequence: 2,
        action: "A6",
        requested: terms,
        authorized: { code: "97112", quantity: 6, unit: "VS", from: "2026-12-01", to: "2026-12-15" },
      },
    ]);
  });

  test("stands in the item's own detail where a payer of PAS 2.0.1 put it there", () => {
    const detail = {
      url: extensions.itemAuthorizedDetail,
      extension: [{ url: "quantity", valueQuantity: { value: 4 } }],
    };
    const dates = { url: extensions.itemAuthorizedDate, valuePeriod: { start: "2026-12-03", end: "2026-12-10" } };
    const answer = meant({ item: [item(1, "A6", { extension: [detail, dates] }), item(2, "A1")] });
    expect(lines(answer)).toMatchObject([
      { authorized: { quantity: 4, from: "2026-12-03", to: "2026-12-10" } },
      { authorized: terms },
    ]);
  });

  test("is a stay from its admission to its discharge, on the item or on what replaces it", () => {
    const extension = [
      { url: extensions.admissionDates, valuePeriod: { start: "2026-12-02", end: "2026-12-03" } },
      { url: extensions.dischargeDate, valueDate: "2026-12-06" },
    ];
    const one = sentWith({ items: [1] });
    const stay = [{ action: "A6", authorized: { from: "2026-12-02", to: "2026-12-06" } }];
    expect(lines(meant({ item: [item(1, "A6", { extension })] }, one))).toMatchObject(stay);
    const instead = { item: [item(1, "A6")], addItem: [{ itemSequence: [1], extension }] };
    expect(lines(meant(instead, one))).toMatchObject(stay);
  });

  test("has the number and the reasons that stand with what replaces a modified item", () => {
    const given = (text: string) => [{ url: "number", valueString: text }];
    const reason = {
      url: "reasonCode",
      valueCodeableConcept: concept("https://codesystem.x12.org/external/886", "0P"),
    };
    const replaced = (number: string | undefined) => ({
      item: [item(1, "A6", { adjudication: review("A6", number === undefined ? [] : given(number)) })],
      addItem: [{ itemSequence: [1], ...halved, adjudication: review("A1", [...given("N2"), reason]) }],
    });
    const one = sentWith({ items: [1] });
    expect(meant(replaced(undefined), one)).toMatchObject({
      determination: { authorizationNumber: "N2", lines: [{ number: "N2", reasons: ["0P"] }] },
    });
    expect(meant(replaced("N1"), one).type).toBe("unclear");
  });

  test("has the modifiers where they are not those that were asked for", () => {
    const modifier = [concept(systems.quantity, "GP")];
    const addItem = [{ itemSequence: [1], productOrService: concept("x", "97110"), modifier }];
    const own = { ...sentWith({ items: [1] }), items: new Map([[1, { ...terms, modifiers: [] }]]) };
    expect(lines(meant({ item: [item(1, "A6")], addItem }, own))).toMatchObject([
      { action: "A6", requested: { modifiers: [] }, authorized: { modifiers: ["GP"] } },
    ]);
    expect(lines(meant({ item: [item(1, "A1")] }, own))).not.toHaveProperty("0.requested.modifiers");
  });

  test("may be split: a second replacement of one item is a line of its own", () => {
    const second = { itemSequence: [1], productOrService: { coding: [{ code: "97140" }] }, adjudication: review("A1") };
    const answer = meant(
      { item: [item(1, "A6")], addItem: [{ itemSequence: [1], ...halved }, second] },
      sentWith({ items: [1] }),
    );
    expect(lines(answer)).toMatchObject([
      { sequence: 1, action: "A6", authorized: { code: "97112" } },
      { sequence: 2, action: "A1", authorized: { code: "97140" } },
    ]);
  });
});

describe("an item nobody asked for", () => {
  const denied = [item(1, "A3"), item(2, "A3")];

  test("is a line of its own, and makes a denial of the rest a partial approval", () => {
    const answer = meant({ item: denied, addItem: [{ itemSequence: [7], adjudication: review("A1"), ...halved }] });
    expect(answer).toMatchObject({ type: "decided", determination: { outcome: "partially-approved" } });
    expect(lines(answer)).toMatchObject([{}, {}, { sequence: 7, action: "A1", authorized: { code: "97112" } }]);
  });

  test("without a sequence comes after those that were asked", () => {
    const answer = meant({ item: denied, addItem: [{ adjudication: review("A1"), ...halved }] });
    expect(lines(answer)).toMatchObject([{}, {}, { sequence: 3 }]);
  });

  test("has a sequence that no other line has", () => {
    const two = [
      { itemSequence: [1], ...halved },
      { itemSequence: [1], ...halved, adjudication: review("A1") },
    ];
    const one = sentWith({ items: [1] });
    const sequences = (addItem: Json[]) => {
      const found = lines(meant({ item: [item(1, "A6")], addItem }, one));
      return typeof found === "string" ? found : found.map(({ sequence }) => sequence);
    };
    expect(sequences(two)).toEqual([1, 2]);
    const extra = { adjudication: review("A1"), ...halved };
    expect(sequences([...two.slice(0, 1), extra, extra, { itemSequence: [5], ...extra }])).toEqual([1, 6, 7, 5]);
  });

  test("keeps the whole open while it is pended, and unclear while it says nothing", () => {
    expect(meant({ item: denied, addItem: [{ itemSequence: [3], adjudication: review("A4") }] }).type).toBe("accepted");
    expect(meant({ item: denied, addItem: [{ itemSequence: [3] }] }).type).toBe("unclear");
  });
});

describe("what contradicts itself asks for a person", () => {
  test.each<[string, Json]>([
    ["a denied item that is replaced", { item: [item(1, "A3")], addItem: [{ itemSequence: [1], ...halved }] }],
    [
      "a certified item that is replaced by another",
      { item: [item(1, "A1")], addItem: [{ itemSequence: [1], ...halved }] },
    ],
    [
      "a replacement that is itself denied",
      { item: [item(1, "A6")], addItem: [{ itemSequence: [1], adjudication: review("A3"), ...halved }] },
    ],
    [
      "a replacement whose action nobody knows",
      { item: [item(1, "A6")], addItem: [{ itemSequence: [1], adjudication: review("ZZ"), ...halved }] },
    ],
  ])("%s", (_, response) => {
    expect(meant(response, sentWith({ items: [1] })).type).toBe("unclear");
  });
});

describe("an update", () => {
  const updated = sentWith({ items: [1, 2, 3], cancelled: [2] });

  test("is decided by what stands; the line taken back is shown as cancelled", () => {
    const answer = meant({ item: [item(1, "A1"), item(2, "C"), item(3, "A1")] }, updated);
    expect(answer).toMatchObject({ type: "decided", determination: { outcome: "approved" } });
    expect(lines(answer)).toMatchObject([{ action: "A1" }, { action: "C", authorized: undefined }, { action: "A1" }]);
  });

  test("that leaves out a line of an earlier version is not understood", () => {
    expect(meant({ item: [item(1, "A1"), item(3, "A1")] }, updated).type).toBe("unknown");
  });

  test("whose cancelled line the payer certifies anyway asks for a person", () => {
    expect(meant({ item: [item(1, "A1"), item(2, "A1"), item(3, "A1")] }, updated).type).toBe("unclear");
  });

  test("whose standing line the payer cancels asks for a person", () => {
    expect(meant({ item: [item(1, "C"), item(2, "C"), item(3, "A1")] }, updated).type).toBe("unclear");
  });

  test("is pended while one line is", () => {
    expect(meant({ item: [item(1, "A1"), item(2, "C"), item(3, "A4")] }, updated).type).toBe("accepted");
  });
});

describe("a cancellation", () => {
  const all = { item: [item(1, "C"), item(2, "C")] };
  const pended = { item: [item(1, "A4"), item(2, "A4")] };
  test.each<[string, FrozenRequest]>([
    ["2.2.1, on the whole Claim", sentWith()],
    ["2.0.1, on every item", sentWith({ cancelled: [1, 2] })],
  ])("as in PAS %s, is done where every item says so, and under way where one is pended", (_, sent) => {
    expect(meant(all, sent).type).toBe("cancelled");
    expect(meant(pended, sent).type).toBe("accepted");
    expect(meant({ item: [item(1, "C"), item(2, "A4")] }, sent).type).toBe("accepted");
    expect(meant({ item: [item(1, "C"), item(2, "A1")] }, sent).type).toBe("unclear");
  });

  test("is refused by an AAA", () => {
    const error = [
      {
        code: concept("https://codesystem.x12.org/005010/901", "33"),
        extension: [
          { url: extensions.errorElement, valueString: "2000E-UM02" },
          { url: extensions.errorFollowupAction, valueCodeableConcept: concept("x", "N") },
        ],
      },
    ];
    expect(meant({ error }, sentWith({ cancelled: [1, 2] }))).toEqual({
      type: "rejected",
      correction: "final",
      reason: "The payer did not process the request: a value is not valid (AAA 33, follow-up N, at 2000E-UM02).",
    });
  });
});

test("numbers, reasons, validity, notes and the reviewer are read from where PAS has them", () => {
  const number = { url: "number", valueString: "AUTH-1" };
  const reason = { url: "reasonCode", valueCodeableConcept: concept("https://codesystem.x12.org/005010/886", "0V") };
  const reference = { url: extensions.administrationReferenceNumber, valueString: "NT-1" };
  const answer = meant(
    {
      item: [{ itemSequence: 1, adjudication: review("A2", [number, reason]) }],
      extension: [
        { url: extensions.claimResponseReviewer, extension: [{ url: "wasHumanReviewedFlag", valueBoolean: false }] },
        reference,
      ],
      preAuthPeriod: { start: "2026-12-01", end: "2027-02-28" },
      processNote: [{ text: "Six visits at first." }],
    },
    sentWith({ items: [1] }),
  );
  expect(answer).toEqual({
    type: "decided",
    determination: {
      outcome: "partially-approved",
      authorizationNumber: "AUTH-1",
      reference: "NT-1",
      validFrom: "2026-12-01",
      validTo: "2027-02-28",
      lines: [
        { sequence: 1, action: "A2", requested: terms, authorized: undefined, number: "AUTH-1", reasons: ["0V"] },
      ],
      notes: ["Six visits at first."],
      humanReviewed: false,
      decidedAt: "2026-12-02T16:00:00.000Z",
      source: "connector",
    },
  });
});

test("the payer's words stay with the line that they are of, and its disposition among the notes of the whole", () => {
  const inWords = { url: "reasonCode", valueCodeableConcept: { text: "No referral." } };
  const answer = meant({
    disposition: "Decided in part.",
    processNote: [
      { number: 1, text: "Not covered." },
      { number: 2, text: "See the plan." },
    ],
    item: [
      item(1, "A3", { noteNumber: [1, 2] }),
      { ...item(2, "A3", { noteNumber: [2] }), adjudication: review("A3", [inWords]) },
    ],
  });
  expect(answer).toMatchObject({
    determination: { notes: ["Decided in part.", "Not covered.", "See the plan."] },
  });
  expect(lines(answer)).toMatchObject([{ notes: ["Not covered."] }, { notes: ["No referral."] }]);
});

test("a line that ends on another day than the rest has its own validity, and the first end is that of the whole", () => {
  const until = (start: string, end: string) => [{ url: extensions.itemPreAuthPeriod, valuePeriod: { start, end } }];
  const addItem = [
    { itemSequence: [1], quantity: { value: 6 }, servicedPeriod: { start: "2026-12-01", end: "2026-12-10" } },
  ];
  const first = item(1, "A6", { extension: until("2026-12-01", "2026-12-10") });
  const answer = meant({ item: [first, item(2, "A1", { extension: until("2026-12-01", "2026-12-31") })], addItem });
  expect(lines(answer)).toMatchObject([{ validTo: "2026-12-10" }, { validTo: "2026-12-31" }]);
  expect(answer).toMatchObject({ determination: { validFrom: "2026-12-01" } });
  expect(answer.type === "decided" && lastAuthorizedDay(answer.determination)).toBe("2026-12-10");
});

test("the day on which one line was issued dates no decision on another that has none", () => {
  const made = { created: "2026-12-10T10:00:00Z" };
  const first = dated(extensions.itemPreAuthIssueDate, { valueDate: "2026-12-01" });
  const both = { ...item(2, "A1"), extension: [{ url: extensions.itemPreAuthIssueDate, valueDate: "2026-12-03" }] };
  expect(meant({ ...made, item: [first, item(2, "A3")] })).toMatchObject({
    determination: { decidedAt: "2026-12-10T10:00:00.000Z" },
  });
  expect(meant({ ...made, item: [first, both] })).toMatchObject({ determination: { decidedOn: "2026-12-03" } });
});

test.each(["A1", "A3"])("the number of an earlier authorization is none of a decision as %s", (action) => {
  const extension = [{ url: extensions.authorizationNumber, valueString: "OLD-1" }];
  const answer = meant({ item: [item(1, action, { extension })] }, sentWith({ items: [1] }));
  expect(answer).toMatchObject({ type: "decided" });
  expect(JSON.stringify(answer)).not.toContain("OLD-1");
});

describe("who provides it and where", () => {
  const requested = { ...terms, providers: ["1234567893"], place: "22" };
  const sent: FrozenRequest = {
    ...sentWith({ items: [1] }),
    items: new Map([[1, requested]]),
    providers: new Map([["urn:uuid:rendering", ["1234567893", "460112233"]]]),
  };
  const authorizes = (valueReference: Json) => ({
    url: extensions.itemAuthorizedProvider,
    extension: [{ url: "provider", valueReference }],
  });

  test("is not taken for authorized where the payer does not say so", () => {
    expect(lines(meant({ item: [item(1, "A1")] }, sent))).toEqual([
      expect.objectContaining({ requested: requested, authorized: terms }),
    ]);
  });

  test.each<[string, Json]>([
    ["on the item", { item: [item(1, "A1", { extension: [authorizes({ reference: "urn:uuid:rendering" })] })] }],
    [
      "for the whole request, by the tax id",
      { item: [item(1, "A1")], extension: [authorizes({ identifier: { value: "460112233" } })] },
    ],
  ])("is stated %s, by the number that was asked for", (_, answer) => {
    const [line] = lines(meant(answer, sent));
    expect(line).toMatchObject({ authorized: { providers: ["1234567893"] } });
  });

  test("stands in the item that replaces a modified one", () => {
    const location = { locationCodeableConcept: concept(systems.placeOfService, "11") };
    const answer = meant({ item: [item(1, "A6")], addItem: [{ itemSequence: [1], ...halved, ...location }] }, sent);
    expect(lines(answer)).toMatchObject([{ requested: { place: "22" }, authorized: { place: "11" } }]);
  });
});
