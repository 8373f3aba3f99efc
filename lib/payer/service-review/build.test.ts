import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { serviceReviewSchema, type ServiceReview } from "#lib/task/model/service-review";
import type { Build, Call } from "#lib/payer/connector";
import { aReview, aReviewBuild, anUpdate } from "#test/support/payer/service-review/build";
import { fullReview } from "#test/support/payer/pas/reviews";
import { build } from "./build.ts";
import { serviceReview } from "./connector.ts";
import { readFrozenRequest } from "./frozen-request.ts";

const documentIn = ({ body }: Call) => JSON.parse(Buffer.from(body).toString("utf8")) as Record<string, unknown>;
const documentOf = (members: Partial<ServiceReview>) => documentIn(build(aReviewBuild({ review: aReview(members) })));
const first = (members: Partial<Build> = {}) => aReviewBuild({ url: "https://clearinghouse.test/api/", ...members });

describe("a first request", () => {
  test.each([{ certificationTypeCode: "R" }, { certificationTypeCode: "4" }, { requestTypeCode: "IN" }])(
    "of a kind that the wire has no place for is submitted by a person: %o",
    (members) => {
      // Safe because each is a member of a service review.
      const review = aReview(members as Partial<ServiceReview>);
      expect(serviceReview.isManual(first({ review }))).toBe(true);
      expect(serviceReview.isManual(first())).toBe(false);
      expect(serviceReview.build(first({ review })).map(({ method }) => method)).not.toContain("POST");
    },
  );

  test("is one POST of the review in the contract's members, our trace number its last note", () => {
    const from = first();
    const call = build(from);
    expect([call.method, call.url, call.contentType]).toEqual([
      "POST",
      "https://clearinghouse.test/api/v2/service-reviews",
      "application/json",
    ]);
    expect(documentIn(call)).toEqual({
      payer: { id: "P1000" },
      requestTypeCode: "HS",
      serviceTypeCode: "PT",
      placeOfServiceCode: "11",
      fromDate: "2026-12-01",
      toDate: "2026-12-31",
      requestingProvider: { npi: "1234567893", lastName: "Sample", firstName: "Kim" },
      subscriber: { memberId: "M1000" },
      patient: {
        lastName: "Testperson",
        firstName: "Robin",
        birthDate: "1980-02-29",
        genderCode: "F",
        subscriberRelationshipCode: "18",
      },
      diagnoses: [{ code: "M54.16", qualifierCode: "ABK" }],
      procedures: [{ code: "97110", qualifierCode: "HC", quantity: "12", quantityTypeCode: "VS" }],
      providerNotes: [{ message: `Trace number ${from.taskId}-1-T` }],
    });
  });

  test("carries addresses, roles and the admission where the contract has a place for them", () => {
    const { subscriber, patient, admissionTypeCode, admissionSourceCode, renderingProviders = [] } = fullReview;
    const [, clinic] = renderingProviders;
    const { homeHealth, patientStatusCode, nursingHomeResidentialStatusCode } = fullReview;
    const stay = { admissionTypeCode, admissionSourceCode, patientStatusCode, nursingHomeResidentialStatusCode };
    const described = { subscriber, patient, homeHealth, ...stay };
    const provider = { ...clinic, phone: undefined };
    expect(documentOf({ ...described, requestingProvider: provider, renderingProviders: [provider] })).toMatchObject({
      admissionTypeCode: "2",
      admissionSourceCode: "5",
      subscriber: { middleName: "Lee", suffix: "Jr", addressLine1: "1 Elm Street", stateCode: "IL", zipCode: "62701" },
      patient: { addressLine2: "Floor 2", city: "Springfield", prognosisCode: "1", statusCode: "30" },
      nursingHomeResidentialStatusCode: "2",
      homeHealthStartDate: "2026-12-01",
      requestingProvider: { addressLine1: "1 Elm Street" },
      renderingProviders: [{ roleCode: "SJ" }],
    });
  });

  test("never carries what nobody knows, at any depth", () => {
    const review = serviceReviewSchema.parse({
      ...aReview(),
      secret: "unknown",
      payer: { id: "P1000", secret: "unknown" },
      patient: { ...aReview().patient, secret: "unknown" },
      procedures: [{ code: "97110", secret: "unknown" }],
      diagnoses: [{ code: "M54.16", secret: "unknown" }],
      requestingProvider: { ...aReview().requestingProvider, secret: "unknown" },
      providerNotes: [{ message: "why", secret: "unknown" }],
      urgentAttestation: "unknown",
      externalReference: "unknown",
    });
    expect(Buffer.from(build(first({ review })).body).toString("utf8")).not.toContain("unknown");
  });

  test("writes an organization where the wire has its last name, phone numbers in digits, and a quantity as text", () => {
    const document = documentOf({
      requestingProvider: {
        npi: "1234567893",
        organizationName: "Elm Street",
        contactName: "Pat",
        phone: "+1 (605) 555-0101",
        fax: "ask Pat",
      },
      procedures: [{ code: "E0110", quantity: 0.5, quantityTypeCode: "UN" }],
      quantity: 2,
      quantityTypeCode: "VS",
    });
    expect(document).toMatchObject({
      requestingProvider: {
        npi: "1234567893",
        lastName: "Elm Street",
        contactName: "Pat",
        phone: "6055550101",
        fax: "ask Pat",
      },
      procedures: [{ quantity: "0.5", quantityTypeCode: "UN" }],
      quantity: "2",
      quantityTypeCode: "VS",
    });
  });

  test("marks the first diagnosis as the principal one where none is, and dots its code", () => {
    expect(documentOf({ diagnoses: [{ code: "M5416", description: "" }, { code: "I10" }] })["diagnoses"]).toEqual([
      { code: "M54.16", qualifierCode: "ABK" },
      { code: "I10", qualifierCode: "ABF" },
    ]);
    const marked = documentOf({ diagnoses: [{ code: "I10" }, { code: "M54.16", qualifierCode: "ABK" }] });
    expect(marked["diagnoses"]).toMatchObject([{ qualifierCode: "ABF" }, { qualifierCode: "ABK" }]);
  });

  test("cuts long notes to what a segment carries and keeps them in order before the trace number", () => {
    const notes = documentOf({ providerNotes: [{ message: "word ".repeat(60) }, { message: "end" }] })["providerNotes"];
    expect(notes).toEqual([
      { message: "word ".repeat(52) },
      { message: "word ".repeat(8) },
      { message: "end" },
      { message: expect.stringMatching(/^Trace number /) },
    ]);
  });
});

describe("an update", () => {
  const sent = build(first());

  test("is a PUT of the id and what may be updated, with a trace number of its own", () => {
    const update = anUpdate(first(), { review: aReview({ procedures: [{ code: "97112" }] }) }, [sent]);
    const [call] = serviceReview.build(update);
    expect(serviceReview.isManual(update)).toBe(false);
    expect([call?.method, call?.url]).toEqual(["PUT", "https://clearinghouse.test/api/v2/service-reviews"]);
    expect(call && documentIn(call)).toEqual({
      id: "SR-1",
      placeOfServiceCode: "11",
      fromDate: "2026-12-01",
      toDate: "2026-12-31",
      diagnoses: [{ code: "M54.16", qualifierCode: "ABK" }],
      procedures: [{ code: "97112", qualifierCode: "HC" }],
      providerNotes: [{ message: `Trace number ${update.taskId}-2-T` }],
    });
  });

  test.each<[string, Partial<Build>]>([
    ["changes the member", { review: aReview({ subscriber: { memberId: "M2" } }) }],
    ["names a member the first request left out", { review: aReview({ requestTypeCode: "AR" }) }],
    ["leaves out what the first request had", { review: aReview({ serviceTypeCode: undefined }) }],
    [
      "brings a file the first request did not have",
      {
        attachments: [
          { sha256: "0".repeat(64), contentType: "application/pdf", size: 1, since: 2, bytes: new Uint8Array(1) },
        ],
      },
    ],
    ["is of a case whose id nobody knows", { payerReference: undefined }],
    ["is of a case whose reference is no id", { payerReference: "../other" }],
    ["follows a first request that went by hand", { sent: [] }],
  ])("that %s goes by hand, as the sheet a person carries", (_, members) => {
    const update = anUpdate(first(), members, [sent]);
    expect(serviceReview.isManual(update)).toBe(true);
    expect(serviceReview.build(update)).toMatchObject([{ method: "MANUAL", contentType: "text/plain; charset=utf-8" }]);
  });

  test("with the files of the first request still goes by the wire", () => {
    const attachments: Build["attachments"] = [
      { sha256: "0".repeat(64), contentType: "application/pdf", size: 1, since: 1, bytes: new Uint8Array(1) },
    ];
    expect(serviceReview.isManual(anUpdate(first(), { attachments }, [sent]))).toBe(false);
  });

  test("is compared with the first request, however many updates came between", () => {
    const second = anUpdate(first(), { review: aReview({ procedures: [{ code: "97112" }] }) }, [sent]);
    const third = anUpdate(
      second,
      { review: aReview({ procedures: [{ code: "97110" }] }) },
      serviceReview.build(second),
    );
    expect(serviceReview.isManual(third)).toBe(false);
    expect(serviceReview.isManual({ ...third, review: aReview({ patient: { lastName: "Else" } }) })).toBe(true);
  });
});

describe("a void", () => {
  test("is a DELETE of the case by its id, with nothing in it", () => {
    const [call] = serviceReview.build(first({ action: "void", payerReference: "SR-1" }));
    expect(call).toMatchObject({ method: "DELETE", url: "https://clearinghouse.test/api/v2/service-reviews/SR-1" });
    expect(call?.body.byteLength).toBe(0);
    expect(call && readFrozenRequest(call)).toMatchObject({ kind: "void", id: "SR-1" });
  });

  test.each([undefined, "", "a/b", "?", "x".repeat(129)])("of a case known as %j goes by hand", (payerReference) => {
    expect(serviceReview.build(first({ action: "void", payerReference }))).toMatchObject([{ method: "MANUAL" }]);
  });
});

const reviews = fc.record({
  procedures: fc.array(
    fc
      .record(
        {
          code: fc.oneof(fc.stringMatching(/^\d{4}[\dFTUM]$/), fc.stringMatching(/^[A-V]\d{4}$/)),
          counted: fc.record({
            quantity: fc.integer({ min: 1, max: 99 }),
            quantityTypeCode: fc.constantFrom("UN", "VS", "DY"),
          }),
          description: fc.string(),
          toDate: fc.constant("2026-12-05"),
        },
        { requiredKeys: ["code"] },
      )
      .map(({ counted, ...procedure }) => ({ ...procedure, ...counted })),
    { minLength: 1, maxLength: 20 },
  ),
  providerNotes: fc.array(fc.record({ message: fc.string({ unit: "grapheme" }) }), { maxLength: 3 }),
});

test("building is deterministic, and every line reads back as it was asked", () => {
  fc.assert(
    fc.property(reviews, (members) => {
      const review = serviceReviewSchema.parse(aReview(members));
      const call = build(first({ review }));
      expect(build(first({ review: structuredClone(review) }))).toEqual(call);
      const sent = readFrozenRequest(call);
      expect(sent?.trace).toBe(`${first().taskId}-1-T`);
      expect([...(sent?.lines ?? [])]).toEqual(
        review.procedures.map(({ code, quantity, quantityTypeCode, toDate }, index) => [
          index + 1,
          {
            code,
            modifiers: [],
            quantity,
            unit: quantityTypeCode,
            from: "2026-12-01",
            to: toDate ?? "2026-12-31",
          },
        ]),
      );
    }),
  );
});
