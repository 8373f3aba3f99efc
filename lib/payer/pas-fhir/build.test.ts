import type { Bundle, Claim, Coverage, Organization, Patient, Practitioner, PractitionerRole } from "fhir/r4";
import fc from "fast-check";
import { expect, test } from "vitest";
import { codeSystemOf } from "#lib/task/model/formats";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { Build } from "#lib/payer/connector";
import { aBuild, aReview } from "#test/support/payer/pas/build";
import { bundleOf, inquiryAbout, updateOf, voidOf } from "#test/support/payer/pas/history";
import { completeReviews } from "#test/support/payer/pas/reviews";
import { build } from "./build.ts";
import { check } from "./check.ts";
import { readFrozenRequest } from "./frozen-request.ts";
import { extensions, procedureSystems, systems, testMarker } from "./vocabulary.ts";

function all<Kind extends { resourceType: string }>(bundle: Bundle, type: Kind["resourceType"]): Kind[] {
  return (bundle.entry ?? []).flatMap(({ resource }) =>
    resource?.resourceType === type ? [resource as unknown as Kind] : [],
  );
}

function one<Kind extends { resourceType: string }>(bundle: Bundle, type: Kind["resourceType"]): Kind {
  const found = all<Kind>(bundle, type);
  expect(found).toHaveLength(1);
  return found[0] as Kind;
}

const claimOf = (review: Partial<ServiceReview>) => one<Claim>(bundleOf(aBuild({ review: aReview(review) })), "Claim");

test("a first request is one POST to Claim/$submit under the route's base, with or without its last slash", () => {
  const calls = ["https://payer.test/fhir", "https://payer.test/fhir/"].map((url) => build(aBuild({ url })));
  for (const [call, ...more] of calls) {
    expect(more).toEqual([]);
    expect(call).toMatchObject({
      method: "POST",
      url: "https://payer.test/fhir/Claim/$submit",
      contentType: "application/fhir+json",
    });
  }
});

test("the Claim stands first, and every resource once, in a fixed order", () => {
  const types = (bundleOf(aBuild()).entry ?? []).map(({ resource }) => resource?.resourceType);
  expect(types).toEqual([
    "Claim",
    "PractitionerRole",
    "Practitioner",
    "Organization",
    "Organization",
    "Coverage",
    "Patient",
  ]);
});

test("every reference is the fullUrl of an entry of the same bundle", () => {
  const bundle = bundleOf(
    aBuild({ review: aReview({ renderingProviders: [{ npi: "1679576722", lastName: "Other" }] }) }),
  );
  const urls = (bundle.entry ?? []).map(({ fullUrl }) => fullUrl);
  const references = [...JSON.stringify(bundle).matchAll(/"reference":"([^"]*)"/g)].map(([, reference]) => reference);
  expect(new Set(urls).size).toBe(urls.length);
  expect(references.filter((reference) => !urls.includes(reference))).toEqual([]);
});

test("identity derives from task, revision and action; the timestamp is when the gate opened", () => {
  const first = bundleOf(aBuild());
  const reopened = bundleOf(aBuild({ openedAt: new Date("2026-11-21T00:00:00Z") }));
  const amended = bundleOf(aBuild({ revision: 2 }));
  expect(first.timestamp).toBe("2026-11-20T10:00:00.000Z");
  expect(reopened.identifier).toEqual(first.identifier);
  expect(reopened.entry?.map(({ fullUrl }) => fullUrl)).toEqual(first.entry?.map(({ fullUrl }) => fullUrl));
  expect(amended.identifier).not.toEqual(first.identifier);
  expect(amended.entry?.[0]?.fullUrl).not.toBe(first.entry?.[0]?.fullUrl);
});

test("the same people keep their address through a case, and other cases never share it", () => {
  const urls = (from: Build) => (bundleOf(from).entry ?? []).slice(1).map(({ fullUrl }) => fullUrl);
  const first = urls(aBuild());
  const elsewhere = urls(aBuild({ taskId: "019335d2-7a1c-7c3d-8a4b-1c2d3e4f5a6c" }));
  const other = urls(aBuild({ review: aReview({ subscriber: { memberId: "M2000" } }) }));
  expect(urls(aBuild({ revision: 2 }))).toEqual(first);
  expect(elsewhere.filter((url) => first.includes(url))).toEqual([]);
  // Coverage and patient are those of another member.
  expect(other.filter((url) => !first.includes(url))).toHaveLength(2);
});

test("the trace number names the originator as X12 TRN03 does", () => {
  expect(claimOf({}).identifier).toEqual([
    { system: "urn:trnorg:9123456789", value: "019335d2-7a1c-7c3d-8a4b-1c2d3e4f5a6b-1-T" },
  ]);
  const taxed = claimOf({ requestingProvider: { npi: "1234567893", lastName: "Sample", taxId: "123456789" } });
  expect(taxed.identifier?.[0]?.system).toBe("urn:trnorg:1123456789");
});

test("a test route marks its bundle and a live one does not", () => {
  expect(bundleOf(aBuild({ environment: "test" })).meta?.tag).toEqual([testMarker]);
  expect(bundleOf(aBuild({ environment: "live" })).meta?.tag).toBeUndefined();
});

test("members nobody knows never leave", () => {
  const review = {
    ...aReview({ externalReference: "canary-0" }),
    secret: "canary-1",
    patient: { ...aReview().patient, pet: "canary-2" },
    procedures: [{ code: "97110", more: "canary-3" }],
  };
  expect(JSON.stringify(bundleOf(aBuild({ review })))).not.toContain("canary");
});

test("a subscriber is both holder and patient; a dependent brings the subscriber along", () => {
  const own = bundleOf(aBuild());
  expect(all<Patient>(own, "Patient")).toHaveLength(1);
  const review = aReview({
    subscriber: { memberId: "M1000", lastName: "Holder", firstName: "Pat" },
    patient: { ...aReview().patient, subscriberRelationshipCode: "19" },
  });
  const dependent = bundleOf(aBuild({ review }));
  const coverage = one<Coverage>(dependent, "Coverage");
  expect(all<Patient>(dependent, "Patient").map(({ name }) => name?.[0]?.family)).toEqual(["Testperson", "Holder"]);
  expect(coverage.subscriber).not.toEqual(coverage.beneficiary);
  expect(coverage).toMatchObject({
    subscriberId: "M1000",
    relationship: { coding: [{ code: "child" }, { system: systems.relationshipX12, code: "19" }] },
  });
});

test("a person asks in a role at the practice; an organization asks as itself", () => {
  const person = bundleOf(aBuild());
  expect(one<Practitioner>(person, "Practitioner").identifier).toEqual([{ system: systems.npi, value: "1234567893" }]);
  expect(one<PractitionerRole>(person, "PractitionerRole").organization).toBeDefined();
  const organization = bundleOf(
    aBuild({ review: aReview({ requestingProvider: { npi: "1234567893", organizationName: "Elm Street" } }) }),
  );
  expect(all(organization, "Practitioner")).toEqual([]);
  expect(all<Organization>(organization, "Organization")[0]).toMatchObject({
    name: "Elm Street",
    identifier: [{ system: systems.npi, value: "1234567893" }],
  });
});

test("a rendering provider who is the requesting one is not there twice, and every member has a scope", () => {
  const rendering = [
    { npi: "1234567893", lastName: "Sample" },
    { npi: "1679576722", organizationName: "Other Clinic", specialtyCode: "261QP2000X" },
  ];
  const bundle = bundleOf(aBuild({ review: aReview({ renderingProviders: [...rendering, ...rendering] }) }));
  const { careTeam = [], provider } = one<Claim>(bundle, "Claim");
  expect(careTeam).toHaveLength(2);
  expect(careTeam[0]?.provider).toEqual(provider);
  expect(careTeam.map(({ extension }) => extension)).toEqual(
    [0, 1].map(() => [{ url: extensions.careTeamClaimScope, valueBoolean: true }]),
  );
});

test.each([
  ["97110", procedureSystems.CPT],
  ["0001U", procedureSystems.CPT],
  ["E0601", procedureSystems.HCPCS],
  ["0SRC0J9", procedureSystems["ICD-10-PCS"]],
])("procedure %s is sent under %s", (code, system) => {
  expect(claimOf({ procedures: [{ code }] }).item?.[0]?.productOrService.coding).toEqual([{ system, code }]);
});

test("an item says its request and certification type, by default a first health services review", () => {
  const types = (review: Partial<ServiceReview>) =>
    claimOf(review).item?.[0]?.extension?.map(({ valueCodeableConcept }) => valueCodeableConcept?.coding?.[0]?.code);
  expect(types({})).toEqual(["HS", "I"]);
  expect(types({ requestTypeCode: "SC", certificationTypeCode: "R" })).toEqual(["SC", "R"]);
});

test("urgency is the level of service and the priority", () => {
  expect(claimOf({}).extension).toBeUndefined();
  expect(claimOf({}).priority.coding?.[0]?.code).toBe("normal");
  expect(claimOf({ serviceLevelCode: "U" })).toMatchObject({
    priority: { coding: [{ code: "stat" }] },
    extension: [
      {
        url: extensions.levelOfServiceCode,
        valueCodeableConcept: { coding: [{ system: systems.serviceLevel, code: "U" }] },
      },
    ],
  });
});

test("an admission is institutional and its dates are admission dates", () => {
  const claim = claimOf({ requestTypeCode: "AR" });
  expect(claim.type.coding?.[0]?.code).toBe("institutional");
  expect(claim.supportingInfo?.[0]).toMatchObject({
    category: { coding: [{ code: "admissionDates" }] },
    timingPeriod: { start: "2026-12-01", end: "2026-12-31" },
  });
});

test("a diagnosis travels with its dot and its date, the first as principal where none is marked", () => {
  const [first, second] =
    claimOf({ diagnoses: [{ code: "M5416", date: "2026-10-01" }, { code: "I10" }] }).diagnosis ?? [];
  expect(first).toMatchObject({
    diagnosisCodeableConcept: { coding: [{ system: systems.icd10cm, code: "M54.16" }] },
    type: [{ coding: [{ code: "principal" }] }],
    extension: [{ url: extensions.diagnosisRecordedDate, valueDate: "2026-10-01" }],
  });
  expect(second?.diagnosisCodeableConcept?.coding?.[0]?.code).toBe("I10");
  expect(second?.type).toBeUndefined();
});

test("every code reads back as it was asked", () => {
  fc.assert(
    fc.property(completeReviews, (review) => {
      fc.pre(check(review).length === 0);
      const [call] = build(aBuild({ review }));
      const claim = one<Claim>(bundleOf(aBuild({ review })), "Claim");
      expect(claim.item?.map(({ productOrService }) => productOrService.coding?.[0])).toEqual(
        review.procedures.map(({ code }) => ({ system: procedureSystems[codeSystemOf(code) ?? "CPT"], code })),
      );
      expect(claim.diagnosis?.map((each) => each.diagnosisCodeableConcept?.coding?.[0]?.code)).toEqual(
        review.diagnoses?.map(({ code }) => code),
      );
      const sent = call && readFrozenRequest(call);
      expect([...(sent?.items.values() ?? [])].map(({ code }) => code)).toEqual(
        review.procedures.map(({ code }) => code),
      );
      expect(sent).toMatchObject({ memberId: review.subscriber?.memberId, test: true, cancelled: new Set() });
    }),
  );
});

test("the payer's id and the member id have the systems set for the payer connection, else ones under its address", () => {
  const insurer = (settings: Record<string, string>) => {
    const bundle = bundleOf(aBuild({ settings }));
    const { insurer } = one<Claim>(bundle, "Claim");
    const found = bundle.entry?.find(({ fullUrl }) => fullUrl === insurer?.reference)?.resource as Organization;
    return found.identifier;
  };
  const type = { coding: [{ system: systems.payerIdType, code: "payerid" }] };
  for (const version of ["2.2.1", "2.0.1"]) {
    expect(insurer({ version })).toEqual([{ type, system: "https://payer.test/fhir/sid/payer-id", value: "P1000" }]);
    expect(insurer({ version, payerIdSystem: "urn:oid:1.2.3" })).toEqual([
      { type, system: "urn:oid:1.2.3", value: "P1000" },
    ]);
    const patient = one<Patient>(bundleOf(aBuild({ settings: { version, memberIdSystem: "urn:oid:4.5" } })), "Patient");
    expect(patient.identifier?.[0]).toMatchObject({ system: "urn:oid:4.5", value: "M1000" });
  }
});

test("a role without a phone says that its phone is unknown, which 2.2.1 demands and 2.0.1 does not", () => {
  const role = (version: string) =>
    one<PractitionerRole>(bundleOf(aBuild({ settings: { version } })), "PractitionerRole");
  expect(role("2.2.1").telecom).toEqual([
    {
      system: "phone",
      _value: {
        extension: [{ url: "http://hl7.org/fhir/StructureDefinition/data-absent-reason", valueCode: "unknown" }],
      },
    },
  ]);
  expect(role("2.0.1").telecom).toBeUndefined();
});

test("every Claim of a route with a sender names it, so that the payer finds the cases of the subscription", () => {
  const settings = { subscription: "rest-hook", senderId: "1234567893" };
  const first = aBuild({ settings });
  const bundles = [first, updateOf(first), voidOf(first)].map(bundleOf);
  for (const bundle of [...bundles, inquiryAbout(first)]) {
    // The first entry is the request's own Claim; an update brings the one before it along.
    const own = bundle.entry?.[0]?.resource as Claim | undefined;
    const [sender] = own?.extension ?? [];
    expect(sender?.extension?.map(({ url, valueString }) => [url, valueString])).toEqual([
      ["applicationSenderCode", "1234567893"],
      ["applicationReceiverCode", "P1000"],
      ["interchangeSenderID", "1234567893"],
    ]);
  }
  expect(claimOf({}).extension).toBeUndefined();
});

test("of a patient who is the subscriber, what either says is sent once", () => {
  const subscriber = { memberId: "M1000", addressLine1: "1 Elm Street", stateCode: "IL" };
  const review = aReview({ subscriber, patient: { ...aReview().patient, phone: "5550100" } });
  const patient = one<Patient>(bundleOf(aBuild({ review })), "Patient");
  expect(patient.address).toEqual([{ line: ["1 Elm Street"], state: "IL", country: "US" }]);
  expect(patient.telecom).toMatchObject([{ value: "5550100" }]);
});

test("a quantity without a unit goes without one", () => {
  const [item] =
    one<Claim>(bundleOf(aBuild({ review: aReview({ procedures: [{ code: "97110", quantity: 2 }] }) })), "Claim").item ??
    [];
  expect(item?.quantity).toEqual({ value: 2 });
});

test("a line's tooth goes as the universal numbering of the ADA has it, and a drug by its NDC", () => {
  const procedures = [{ code: "D7140", toothCode: "14" }, { code: "00093-7214-01" }, { code: "97110" }];
  const { item = [] } = one<Claim>(bundleOf(aBuild({ review: aReview({ procedures }) })), "Claim");
  expect(item.map(({ bodySite }) => bodySite?.coding)).toEqual([
    [{ system: "http://terminology.hl7.org/CodeSystem/ADAUniversalToothDesignationSystem", code: "14" }],
    undefined,
    undefined,
  ]);
  expect(item[1]?.productOrService.coding).toEqual([{ system: "http://hl7.org/fhir/sid/ndc", code: "00093-7214-01" }]);
});
