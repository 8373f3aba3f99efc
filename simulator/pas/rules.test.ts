import { expect, test } from "vitest";
import { pasFhir } from "#lib/payer/pas-fhir/connector";
import { aBuild, aReview } from "#test/support/payer/pas/build";
import { example } from "#test/support/payer/pas/example";
import { checkInquiry, checkSubmission } from "./rules.ts";
import { npiSystem, urls } from "./vocabulary.ts";

type Json = Record<string, unknown>;

/** A request this connector really builds, as JSON to spoil. */
function aRequest(): Json {
  const review = aReview({
    renderingProviders: [{ npi: "1679576722", lastName: "Other", specialtyCode: "225100000X" }],
    providerNotes: [{ message: "A note." }],
    serviceLevelCode: "U",
  });
  const [call] = pasFhir.build(aBuild({ review }));
  return JSON.parse(Buffer.from(call?.body ?? []).toString("utf8")) as Json;
}

/** The first resource of a type, to be changed in place. */
function resource(bundle: Json, type: string): Json {
  const found = (bundle["entry"] as { resource: Json }[]).find((entry) => entry.resource["resourceType"] === type);
  if (!found) throw new Error(`the request has a ${type}`);
  return found.resource;
}

const claim = (bundle: Json) => resource(bundle, "Claim");
const item = (bundle: Json) => (claim(bundle)["item"] as Json[])[0] as Json;
const entries = (bundle: Json) => bundle["entry"] as Json[];

test("a request the connector builds is accepted", () => {
  expect(checkSubmission(aRequest(), "2.2.1")).toMatchObject({ ok: true });
});

test.each(["MedicalServicesAuthorization", "ReferralAuthorization", "HomecareAuthorization"])(
  "the official example %s is accepted",
  (name) => {
    const checked = checkSubmission(example(`2.2.1/Bundle-${name}BundleExample`), "2.2.1");
    expect(checked.ok ? [] : checked.problems).toEqual([]);
  },
);

test("the official inquiry is accepted", () => {
  const checked = checkInquiry(example("2.2.1/Bundle-PASClaimInquiryBundleExample"), "2.2.1");
  expect(checked.ok ? [] : checked.problems).toEqual([]);
});

test("the official surgical request is refused for what its role refers to, and accepted without", () => {
  const bundle = example("2.2.1/Bundle-SurgicalRequestBundleExample") as Json;
  const checked = checkSubmission(bundle, "2.2.1");
  expect(checked.ok ? [] : checked.problems).toMatchObject([
    { at: "Bundle.entry[6].resource.practitioner", code: "not-found" },
    { at: "Bundle.entry[6].resource", code: "not-found" },
  ]);
  const role = resource(bundle, "PractitionerRole");
  role["practitioner"] = { reference: "Practitioner/SurgicalPractitionerExample" };
  role["location"] = [{ reference: "Location/SurgicalLocationExample" }];
  expect(checkSubmission(bundle, "2.2.1")).toMatchObject({ ok: true });
});

test.each(["MedicalServicesAuthorization", "ReferralAuthorization", "HomecareAuthorization"])(
  "the official 2.0.1 example %s is accepted at 2.0.1, and not at 2.2.1",
  (name) => {
    const bundle = example(`2.0.1/Bundle-${name}BundleExample`);
    const checked = checkSubmission(bundle, "2.0.1");
    expect(checked.ok ? [] : checked.problems).toEqual([]);
    expect(checkSubmission(bundle, "2.2.1")).toMatchObject({ ok: false });
  },
);

test("a 2.0.1 request without a claim type is refused", () => {
  const bundle = structuredClone(example("2.0.1/Bundle-HomecareAuthorizationBundleExample")) as Json;
  delete claim(bundle)["type"];
  const checked = checkSubmission(bundle, "2.0.1");
  expect(checked.ok ? [] : checked.problems).toMatchObject([{ at: "Claim.type" }]);
});

test("the official 2.0.1 inquiry is accepted at 2.0.1", () => {
  const checked = checkInquiry(example("2.0.1/Bundle-PASClaimInquiryBundleExample"), "2.0.1");
  expect(checked.ok ? [] : checked.problems).toEqual([]);
});

test.each<[string, string, (bundle: Json) => unknown]>([
  ["Bundle", "is no Bundle", () => null],
  ["Bundle.type", "is a batch", (bundle) => (bundle["type"] = "batch")],
  ["Bundle.identifier", "has no identity", (bundle) => delete bundle["identifier"]],
  ["Bundle.timestamp", "has no time", (bundle) => (bundle["timestamp"] = "2026-11-20")],
  ["Bundle.entry.fullUrl", "has an entry without an address", (bundle) => delete entries(bundle)[1]?.["fullUrl"]],
  ["Bundle.entry.fullUrl", "has one resource twice", (bundle) => entries(bundle).push(entries(bundle)[1] as Json)],
  [
    "Bundle.entry",
    "is a transaction in disguise",
    (bundle) => Object.assign(entries(bundle)[1] as Json, { request: {} }),
  ],
  ["Bundle.entry[0]", "does not begin with the Claim", (bundle) => entries(bundle).reverse()],
  ["Claim.status", "is cancelled by status", (bundle) => (claim(bundle)["status"] = "cancelled")],
  ["Claim.use", "is a claim for money", (bundle) => (claim(bundle)["use"] = "claim")],
  ["Claim.type", "has no type", (bundle) => delete claim(bundle)["type"]],
  ["Claim.identifier", "has no trace number", (bundle) => (claim(bundle)["identifier"] = [])],
  ["Claim.created", "has no date", (bundle) => delete claim(bundle)["created"]],
  ["Claim.priority", "has no priority", (bundle) => delete claim(bundle)["priority"]],
  [
    "Claim.patient",
    "has no patient in the bundle",
    (bundle) => (claim(bundle)["patient"] = { reference: "Patient/1" }),
  ],
  ["Claim.insurer", "has no insurer", (bundle) => delete claim(bundle)["insurer"]],
  ["Claim.provider", "has no provider", (bundle) => delete claim(bundle)["provider"]],
  ["Claim.insurance", "has no focal insurance", (bundle) => (claim(bundle)["insurance"] = [])],
  [
    "Claim.careTeam[0].extension",
    "does not say whose team it is",
    (bundle) => delete (claim(bundle)["careTeam"] as Json[])[0]?.["extension"],
  ],
  [
    "Claim.supportingInfo[1].valueString",
    "has a message without text",
    (bundle) => delete (claim(bundle)["supportingInfo"] as Json[])[1]?.["valueString"],
  ],
  [
    "Claim.supportingInfo.sequence",
    "counts supporting information twice",
    (bundle) => (((claim(bundle)["supportingInfo"] as Json[])[1] as Json)["sequence"] = 1),
  ],
  [
    "Claim.diagnosis",
    "has 13 diagnoses",
    (bundle) =>
      (claim(bundle)["diagnosis"] = Array.from({ length: 13 }, (_, at) => ({
        ...(claim(bundle)["diagnosis"] as Json[])[0],
        sequence: at + 1,
      }))),
  ],
  [
    "Bundle.entry.resource",
    "has an empty entry",
    (bundle) => entries(bundle).push({ fullUrl: "urn:uuid:00000000-0000-8000-a000-000000000009" }),
  ],
  [
    "Claim.careTeam.sequence",
    "counts its care team from nothing",
    (bundle) => Object.assign((claim(bundle)["careTeam"] as Json[])[0] ?? {}, { sequence: 0 }),
  ],
  [
    "Claim.careTeam[0].provider",
    "has a care team of nobody",
    (bundle) => Object.assign((claim(bundle)["careTeam"] as Json[])[0] ?? {}, { provider: {} }),
  ],
  [
    "Claim.diagnosis.diagnosisCodeableConcept",
    "has a diagnosis of an unknown system",
    (bundle) =>
      Object.assign((claim(bundle)["diagnosis"] as Json[])[0] ?? {}, {
        diagnosisCodeableConcept: { coding: [{ system: "http://snomed.info/sct", code: "1" }] },
      }),
  ],
  [
    "Claim.diagnosis.sequence",
    "does not count its diagnoses",
    (bundle) => delete (claim(bundle)["diagnosis"] as Json[])[0]?.["sequence"],
  ],
  [
    "Claim.extension",
    "has a level of service without a code",
    (bundle) => (claim(bundle)["extension"] = [{ url: urls.levelOfService, valueCodeableConcept: { text: "urgent" } }]),
  ],
  [
    "Claim.insurance.coverage",
    "is insured by nothing",
    (bundle) => Object.assign((claim(bundle)["insurance"] as Json[])[0] ?? {}, { coverage: {} }),
  ],
  ["Claim.item[0].careTeamSequence", "points at no care team", (bundle) => (item(bundle)["careTeamSequence"] = [9])],
  [
    "Claim.item[0].informationSequence",
    "points at no information",
    (bundle) => (item(bundle)["informationSequence"] = [9]),
  ],
  [
    "Claim.item[0].quantity",
    "counts in a unit of another system",
    (bundle) => (item(bundle)["quantity"] = { value: 1, system: "http://unitsofmeasure.org", code: "h" }),
  ],
  ["Claim.item", "asks for nothing", (bundle) => (claim(bundle)["item"] = [])],
  ["Claim.item[0].extension", "has no request or certification type", (bundle) => delete item(bundle)["extension"]],
  ["Claim.item[0].category", "has no service type", (bundle) => delete item(bundle)["category"]],
  [
    "Claim.item[0].productOrService",
    "has a code of an unknown system",
    (bundle) =>
      (item(bundle)["productOrService"] = { coding: [{ system: "urn:oid:2.16.840.1.113883.6.285", code: "E0601" }] }),
  ],
  ["Claim.item[0].locationCodeableConcept", "has no place", (bundle) => delete item(bundle)["locationCodeableConcept"]],
  [
    "Claim.item[0].serviced",
    "has half a date",
    (bundle) => Object.assign(item(bundle), { servicedPeriod: { start: "2026-12" } }),
  ],
  [
    "Claim.item[0].quantity",
    "asks for nothing of it",
    (bundle) => (item(bundle)["quantity"] = { value: 0, unit: "visits" }),
  ],
  ["Claim.item[0].diagnosisSequence", "points at no diagnosis", (bundle) => (item(bundle)["diagnosisSequence"] = [9])],
])("%s: a request that %s is refused, and told where", (at, _, spoil) => {
  const bundle = aRequest();
  const spoiled = spoil(bundle) === null ? {} : bundle;
  const checked = checkSubmission(spoiled, "2.2.1");
  const places = checked.ok ? [] : checked.problems.map((problem) => problem.at);
  expect(places).toContain(at);
});

test.each<[string, (bundle: Json) => unknown]>([
  [
    "no member id",
    (bundle) => Object.assign(resource(bundle, "Coverage"), { subscriberId: undefined, identifier: [] }),
  ],
  ["a member id that is none", (bundle) => (resource(bundle, "Coverage")["subscriberId"] = "M 1")],
  ["a coverage that is over", (bundle) => (resource(bundle, "Coverage")["status"] = "cancelled")],
  ["no relationship", (bundle) => delete resource(bundle, "Coverage")["relationship"]],
  ["another beneficiary", (bundle) => (resource(bundle, "Coverage")["beneficiary"] = { reference: "Patient/1" })],
  ["another payor", (bundle) => (resource(bundle, "Coverage")["payor"] = [{ reference: "Organization/1" }])],
  [
    "a dependent without the subscriber",
    (bundle) =>
      Object.assign(resource(bundle, "Coverage"), {
        relationship: { coding: [{ system: "https://codesystem.x12.org/005010/1069", code: "19" }] },
        subscriber: undefined,
      }),
  ],
  ["an inactive organization", (bundle) => delete resource(bundle, "Organization")["active"]],
  ["a nameless organization", (bundle) => delete resource(bundle, "Organization")["name"]],
  ["a patient without a name", (bundle) => delete resource(bundle, "Patient")["name"]],
  ["a patient without an identity", (bundle) => delete resource(bundle, "Patient")["identifier"]],
  ["a patient without a gender", (bundle) => delete resource(bundle, "Patient")["gender"]],
  ["half a birth date", (bundle) => (resource(bundle, "Patient")["birthDate"] = "1980")],
  ["a practitioner without an identity", (bundle) => delete resource(bundle, "Practitioner")["identifier"]],
  [
    "an NPI that is none",
    (bundle) => (resource(bundle, "Practitioner")["identifier"] = [{ system: npiSystem, value: "1234567890" }]),
  ],
  ["a role without its practitioner", (bundle) => delete resource(bundle, "PractitionerRole")["practitioner"]],
  ["half a telephone", (bundle) => (resource(bundle, "Organization")["telecom"] = [{ system: "phone" }])],
  [
    "a modifier of an unknown system",
    (bundle) => (item(bundle)["modifier"] = [{ coding: [{ system: "urn:oid:1.2.3", code: "LT" }] }]),
  ],
  ["a nameless practitioner", (bundle) => delete resource(bundle, "Practitioner")["name"]],
  [
    "a reference into nowhere",
    (bundle) =>
      (resource(bundle, "PractitionerRole")["practitioner"] = {
        reference: "urn:uuid:00000000-0000-5000-8000-000000000000",
      }),
  ],
])("a request with %s is refused", (_, spoil) => {
  const bundle = aRequest();
  spoil(bundle);
  expect(checkSubmission(bundle, "2.2.1")).toMatchObject({ ok: false });
});

test.each<[string, (bundle: Json) => unknown]>([
  ["Claim.identifier", (bundle) => (claim(bundle)["identifier"] as Json[]).push({ system: "a", value: "b" })],
  ["Claim.identifier", (bundle) => delete claim(bundle)["identifier"]],
  ["Claim.diagnosis", (bundle) => (claim(bundle)["diagnosis"] = [{}, {}])],
  ["Claim.patient", (bundle) => delete claim(bundle)["patient"]],
  ["Claim.item", (bundle) => delete claim(bundle)["item"]],
  ["Claim.item.productOrService", (bundle) => delete item(bundle)["productOrService"]],
  ["Claim.item.sequence", (bundle) => delete item(bundle)["sequence"]],
  [
    "Bundle.entry",
    (bundle) =>
      entries(bundle).push({
        ...entries(bundle)[0],
        fullUrl: "http://example.org/fhir/Claim/2",
        resource: { ...claim(bundle), id: "2" },
      }),
  ],
])("%s: an inquiry that breaks this is refused", (at, spoil) => {
  const bundle = structuredClone(example("2.2.1/Bundle-PASClaimInquiryBundleExample")) as Json;
  spoil(bundle);
  const checked = checkInquiry(bundle, "2.2.1");
  expect(checked.ok ? [] : checked.problems.map((problem) => problem.at)).toContain(at);
});
