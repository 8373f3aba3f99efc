import { describe, expect, test } from "vitest";
import type { Json } from "#test/support/payer/pas/reply";
import { item, review, sentWith } from "#test/support/payer/pas/response";
import type { Exchange } from "#lib/platform/outbound/exchange";
import { answerOf, inquiryOf } from "./answer.ts";

const sent = {
  ...sentWith({ items: [1] }),
  coverage: { url: "urn:uuid:coverage", subscriberId: "M1000", classes: new Map<string, string>() },
};
const at = "https://payer.test/fhir";
const modifierExtension = [{ url: "https://payer.test/not-in-force", valueBoolean: true }];

type Parts = {
  readonly bundle?: Json;
  readonly entry?: Json;
  readonly response?: Json;
  readonly beside?: readonly Json[];
};

const robin = {
  resourceType: "Patient",
  identifier: [{ value: "M1000" }],
  name: [{ family: "Testperson", given: ["Robin"] }],
};

/** The answer A1 to that request, with these members in these places and these entries beside it. */
function bundleWith({ bundle = {}, entry = {}, response = {}, beside = [] }: Parts): Json {
  const resource = {
    resourceType: "ClaimResponse",
    status: "active",
    use: "preauthorization",
    patient: { reference: sent.patientUrl },
    request: { reference: sent.claimUrl },
    created: "2026-12-02T10:00:00-06:00",
    item: [item(1, "A1")],
    ...response,
  };
  const first = { fullUrl: "urn:uuid:1", resource, ...entry };
  return { resourceType: "Bundle", type: "collection", entry: [first, ...beside], ...bundle };
}

const replied = (body: Json, status = 200): Exchange => ({
  kind: "reply",
  status,
  contentType: "application/fhir+json",
  headers: {},
  retryAfterMs: undefined,
  bytes: Buffer.from(JSON.stringify(body)),
});

const meantBy = (parts: Parts) => answerOf(sent, replied(bundleWith(parts)));
const known = { sentRequests: [sent], unconfirmed: false, inquiryTrace: "inquiry-1" };
const foundBy = (body: Json) => inquiryOf(known, replied(body));
const error = { resourceType: "OperationOutcome", issue: [{ severity: "error", code: "exception" }] };
const note = { resourceType: "OperationOutcome", issue: [{ severity: "information", code: "not-found" }] };

describe("an approval that something unknown may change is for a person:", () => {
  test.each<[string, Parts]>([
    ["rules of the bundle", { bundle: { implicitRules: "https://payer.test/rules" } }],
    ["rules that are withheld", { response: { _implicitRules: { extension: [{ url: "a", valueCode: "masked" }] } } }],
    ["a modifier of the entry", { entry: { modifierExtension } }],
    ["a modifier of a note", { response: { processNote: [{ number: 1, text: "Approved.", modifierExtension }] } }],
    [
      "a modifier of the patient",
      { beside: [{ fullUrl: sent.patientUrl, resource: { ...robin, modifierExtension } }] },
    ],
    [
      "a modifier within an adjudication",
      {
        response: {
          item: [{ itemSequence: 1, adjudication: [{ ...review("A1")[0], reason: { modifierExtension } }] }],
        },
      },
    ],
  ])("%s", (_, parts) => {
    expect(meantBy({})).toMatchObject({ type: "decided" });
    expect(meantBy(parts)).toMatchObject({ type: "unclear" });
  });

  test("but not the modifiers of the Claim that it repeats", () => {
    const resource = { resourceType: "Claim", item: [{ sequence: 2, modifierExtension }] };
    expect(meantBy({ beside: [{ fullUrl: sent.claimUrl, resource }] })).toMatchObject({ type: "decided" });
  });

  test("one of Parameters is for a person as well", () => {
    const parameter = [{ name: "return", resource: bundleWith({}) }];
    expect(foundBy({ resourceType: "Parameters", parameter })).toMatchObject({ type: "match" });
    for (const body of [
      { resourceType: "Parameters", implicitRules: "https://payer.test/rules", parameter },
      { resourceType: "Parameters", parameter: parameter.map((each) => ({ ...each, modifierExtension })) },
    ])
      expect(foundBy(body)).toMatchObject({ type: "unknown" });
  });
});

test("HTTP 413 with a response bundle is not understood: somebody has read the request", () => {
  expect(answerOf(sent, replied(bundleWith({}), 413))).toMatchObject({ type: "unknown" });
  expect(answerOf(sent, replied({ resourceType: "Unknown" }, 413))).toMatchObject({ type: "rejected", unread: true });
});

test("a refusal that something unknown may change is not understood", () => {
  const [issue] = error.issue;
  expect(answerOf(sent, replied(error, 422))).toMatchObject({ type: "rejected" });
  for (const changed of [
    { ...error, implicitRules: "https://payer.test/rules" },
    { ...error, modifierExtension },
    { ...error, issue: [{ ...issue, modifierExtension }] },
  ])
    expect(answerOf(sent, replied(changed, 422))).toMatchObject({ type: "unknown" });
});

describe("what an answer brings in another form than ours is not passed over:", () => {
  const unknownName = { given: [null, "Robin"], _given: [{ extension: [{ url: "a", valueCode: "unknown" }] }, null] };
  const other = { resourceType: "Patient", name: [{ ...unknownName, family: "Else" }] };
  const coverage = { resourceType: "Coverage", status: "active", subscriberId: "M2000" };
  const under = (reference: string) => ({ insurance: [{ focal: true, coverage: { reference } }] });

  test.each<[string, Parts, object]>([
    [
      "a name of which a part is withheld, of another person",
      { beside: [{ fullUrl: sent.patientUrl, resource: other }] },
      { type: "unknown", reason: "The payer's reply speaks of another patient." },
    ],
    [
      "a name of which a part is withheld, of our patient",
      {
        beside: [
          { fullUrl: sent.patientUrl, resource: { ...robin, name: [{ ...unknownName, family: "Testperson" }] } },
        ],
      },
      { type: "decided" },
    ],
    [
      "a patient who cannot be read",
      { beside: [{ fullUrl: sent.patientUrl, resource: { ...robin, name: "Testperson" } }] },
      { type: "unknown", reason: "The payer's reply does not say which patient it is about." },
    ],
    [
      "a patient whom it does not bring",
      { response: { patient: { reference: `${at}/Patient/1` } } },
      { type: "unknown", reason: "The payer's reply does not say which patient it is about." },
    ],
    [
      "a coverage that cannot be read",
      {
        response: under(`${at}/Coverage/1`),
        beside: [{ fullUrl: `${at}/Coverage/1`, resource: { ...coverage, class: 1 } }],
      },
      { type: "unclear" },
    ],
    [
      "one version of another coverage",
      { response: under("Coverage/1/_history/2"), beside: [{ fullUrl: `${at}/Coverage/1`, resource: coverage }] },
      { type: "unclear" },
    ],
    [
      "one version of another coverage, at the address of that version",
      {
        response: under(`${at}/Coverage/1/_history/2`),
        beside: [{ fullUrl: `${at}/Coverage/1/_history/2`, resource: coverage }],
      },
      { type: "unclear" },
    ],
    [
      "another coverage, at the address of one version",
      { response: under("Coverage/1"), beside: [{ fullUrl: `${at}/Coverage/1/_history/2`, resource: coverage }] },
      { type: "unclear" },
    ],
    [
      "of several versions of a coverage the one that is named",
      {
        response: under(`${at}/Coverage/1/_history/2`),
        beside: [
          { fullUrl: `${at}/Coverage/1/_history/1`, resource: coverage },
          { fullUrl: `${at}/Coverage/1/_history/2`, resource: { ...coverage, subscriberId: "M1000" } },
        ],
      },
      { type: "decided" },
    ],
    [
      "a request for information that cannot be read",
      {
        beside: [
          { fullUrl: "urn:uuid:2", resource: { resourceType: "CommunicationRequest", status: "active", payload: [1] } },
        ],
      },
      { type: "unclear", reason: "The payer's reply certifies, and asks for more information." },
    ],
  ])("%s", (_, parts, answer) => {
    expect(meantBy(parts)).toMatchObject(answer);
  });

  test.each<[string, Parts]>([
    [
      "by one version, relative",
      {
        response: { patient: { reference: "Patient/1/_history/3" } },
        beside: [{ fullUrl: `${at}/Patient/1`, resource: robin }],
      },
    ],
    [
      "by one version, absolute",
      {
        response: { patient: { reference: `${at}/Patient/1/_history/3` } },
        beside: [{ fullUrl: `${at}/Patient/1`, resource: robin }],
      },
    ],
    [
      "by one version, at the address of that version",
      {
        response: { patient: { reference: `${at}/Patient/1/_history/3` } },
        beside: [{ fullUrl: `${at}/Patient/1/_history/3`, resource: robin }],
      },
    ],
    [
      "contained in the ClaimResponse",
      { response: { patient: { reference: "#p" }, contained: [{ ...robin, id: "p" }] } },
    ],
  ])("our patient is known %s", (_, parts) => {
    expect(meantBy(parts)).toMatchObject({ type: "decided" });
  });
});

test("one service in place of several lines is for a person, because its quantity is shared among them", () => {
  const two = sentWith({ items: [1, 2] });
  const instead = (itemSequence: number[]) => ({
    itemSequence,
    productOrService: { coding: [{ code: "97112" }] },
    quantity: { value: 6, code: "VS" },
  });
  const read = (addItem: Json[]) =>
    answerOf(two, replied(bundleWith({ response: { item: [item(1, "A6"), item(2, "A6")], addItem } })));
  expect(read([instead([1]), instead([2])])).toMatchObject({ type: "decided" });
  expect(read([instead([1, 2])])).toMatchObject({ type: "unclear" });
});

describe("an answer to an inquiry in which no response bundle is", () => {
  const parameters = (...parameter: Json[]) => ({ resourceType: "Parameters", parameter });
  const collection = (...resources: Json[]) => ({
    resourceType: "Bundle",
    type: "collection",
    entry: resources.map((resource) => ({ resource })),
  });
  const [first] = bundleWith({})["entry"] as { resource: Json }[];

  test.each<[string, Json]>([
    ["nothing", { resourceType: "Parameters" }],
    ["a note in Parameters", parameters({ name: "return", resource: note })],
    ["a note in a bundle", collection(note)],
  ])("has nothing of the case if it has %s", (_, body) => {
    expect(foundBy(body)).toEqual({ type: "none" });
  });

  test.each<[string, Json]>([
    ["an error in Parameters", parameters({ name: "return", resource: error })],
    ["an error in a bundle", collection(error)],
    ["a ClaimResponse alone", parameters({ name: "return", resource: first?.resource ?? {} })],
    ["a part", parameters({ name: "return", part: [{ name: "bundle", resource: bundleWith({}) }] })],
    ["a reference", parameters({ name: "return", valueReference: { reference: "Bundle/1" } })],
    ["a bundle in a bundle", collection(bundleWith({}))],
  ])("is for a person if it has %s", (_, body) => {
    expect(foundBy(body)).toMatchObject({
      type: "unknown",
      reason: "The payer's reply has an error or another answer where a response bundle belongs.",
    });
  });

  test("is for a person where it does not say which patient it is about", () => {
    const response = { request: undefined, patient: { reference: `${at}/Patient/1` } };
    expect(foundBy(bundleWith({ response }))).toMatchObject({ type: "unknown" });
  });
});

test("a refusal because the time ran out may have been processed, and is none", () => {
  const issue = (code: string) => ({ resourceType: "OperationOutcome", issue: [{ severity: "error", code }] });
  expect(answerOf(sent, replied(issue("invalid"), 400))).toMatchObject({ type: "rejected" });
  expect(answerOf(sent, replied(issue("timeout"), 400))).toMatchObject({ type: "unknown" });
});
