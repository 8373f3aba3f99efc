import { expect, test } from "vitest";
import { example, exampleBytes } from "#test/pas/example";
import { answerOf, inquiryOf } from "./answer.ts";
import type { Sent } from "./sent.ts";

/** What the request behind the official answers says, as far as an answer must echo it. */
const sent: Sent = {
  bundleId: "A12345",
  trace: { system: "http://example.org/PATIENT_EVENT_TRACE_NUMBER", value: "111099" },
  claimUrl: "http://example.org/fhir/Claim/ReferralAuthorizationExample",
  patientUrl: "http://example.org/fhir/Patient/SubscriberExample",
  memberId: "12345678901",
  test: false,
  items: new Map([[1, { code: "3" }]]),
};

const reply = (bytes: Uint8Array, status = 200) =>
  ({
    kind: "reply",
    status,
    contentType: "application/fhir+json",
    headers: {},
    retryAfterMs: undefined,
    bytes,
  }) as const;

test.each([
  [
    "2.2.1/Bundle-ReferralAuthorizationResponseBundleExample",
    {
      type: "decided",
      determination: {
        outcome: "approved",
        authorizationNumber: "AUTH0001",
        validFrom: "2005-05-02",
        validTo: "2005-06-02",
        decidedAt: "2005-05-02T06:02:00.000Z",
        source: "connector",
        lines: [{ sequence: 1, action: "A1", number: "AUTH0001", authorized: { code: "3", quantity: 1 } }],
      },
    },
  ],
  ["2.2.1/Bundle-ReferralPendingAuthorizationResponseBundleExample", { type: "accepted", reference: "PEND0001" }],
  [
    "2.2.1/Bundle-RejectionResponseBundleExample",
    {
      type: "decided",
      determination: { outcome: "denied", humanReviewed: true, lines: [{ sequence: 1, action: "A3" }] },
    },
  ],
  [
    "2.2.1/Bundle-ErrorResponseBundleExample",
    {
      type: "rejected",
      correction: "correctable",
      reason:
        "The payer did not process the request: AAA 04; AAA T4 (the payer's name or id), follow-up C, at Bundle.entry[1].Organization.name.",
    },
  ],
  [
    "2.0.1/Bundle-ReferralAuthorizationResponseBundleExample",
    { type: "decided", determination: { outcome: "approved" } },
  ],
  // Its name says error; its content has no error and certifies the item.
  ["2.0.1/Bundle-ErrorResponseBundleExample", { type: "decided", determination: { outcome: "approved" } }],
])("the official answer %s is understood", (name, expected) => {
  expect(answerOf(sent, reply(exampleBytes(name)))).toMatchObject(expected);
});

test("the official OperationOutcome is a refusal to correct", () => {
  expect(answerOf(sent, reply(exampleBytes("2.2.1/OperationOutcome-InvalidRequestResponse"), 400))).toEqual({
    type: "rejected",
    correction: "correctable",
    reason: "The payer's server refused the request (HTTP 400): invalid.",
  });
});

test.each([
  "2.2.1/Parameters-PASClaimInquiryOperationResponseExample",
  "2.0.1/Bundle-PASClaimInquiryResponseBundleExample",
])("the official inquiry answer %s matches by trace number", (name) => {
  expect(inquiryOf(sent, reply(exampleBytes(name)))).toMatchObject({
    type: "match",
    answer: { type: "decided", determination: { outcome: "approved" } },
  });
});

test("an item nobody asked for, as in the official additional content example, is read and not confused with ours", () => {
  const resource = example("2.2.1/ClaimResponse-PractitionerRequestorAdditionalContentResponseExample");
  const patient = { resourceType: "Patient", identifier: [{ value: "12345678901" }] };
  const bundle = {
    resourceType: "Bundle",
    type: "collection",
    entry: [
      { fullUrl: "urn:uuid:1", resource },
      { fullUrl: sent.patientUrl, resource: patient },
    ],
  };
  expect(answerOf(sent, reply(Buffer.from(JSON.stringify(bundle))))).toMatchObject({
    type: "decided",
    determination: { outcome: "approved", lines: [{ sequence: 1 }] },
  });
});
