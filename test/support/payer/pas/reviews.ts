import { createHash } from "node:crypto";
import fc from "fast-check";
import { attachmentTypes, type OpenAttachment } from "#lib/task/model/attachment";
import type { ServiceReview } from "#lib/task/model/service-review";
import { aReview } from "./build.ts";

const npis = ["1234567893", "1679576722", "1245319599"] as const;
const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
const name = fc.stringMatching(/^[A-Z][a-z]{1,12}$/);
const day = fc
  .date({ min: new Date("2020-01-01"), max: new Date("2030-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const period = fc.tuple(day, day).map((days) => days.toSorted());

const codes = fc.oneof(
  fc.constantFrom("97110", "97112", "E0601"),
  fc.stringMatching(/^\d{4}[\dFTUM]$/),
  fc.stringMatching(/^[A-V]\d{4}$/),
  fc.stringMatching(/^[0-9A-HJ-NP-Z]{7}$/),
);

const procedures = fc.record(
  {
    code: codes,
    quantity: fc.integer({ min: 1, max: 99 }),
    quantityTypeCode: fc.constantFrom("UN", "VS", "DY"),
    modifierCode1: fc.constantFrom("GP", "59", "P3"),
    modifierCode2: fc.stringMatching(/^[A-Z0-9]{2}$/),
    description: fc.string({ unit: "grapheme" }),
    fromDate: day,
    revenueCode: digits(4),
    toothCode: fc.constantFrom("1", "32", "51", "82", "A", "TS"),
  },
  { requiredKeys: ["code"] },
);

const providers = fc
  .record(
    {
      npi: fc.constantFrom(...npis),
      lastName: name,
      firstName: name,
      organizationName: text,
      taxId: digits(9),
      specialtyCode: fc.stringMatching(/^[0-9A-Z]{9}X$/),
      contactName: text,
      phone: digits(10),
      fax: digits(10),
    },
    { requiredKeys: ["npi"] },
  )
  .map((provider) =>
    (provider.lastName ?? provider.organizationName) ? provider : { ...provider, lastName: "Sample" },
  );

/** Reviews that are complete for PAS, from barely to more than anybody sends. */
export const completeReviews: fc.Arbitrary<ServiceReview> = fc
  .record(
    {
      procedures: fc.array(procedures, { minLength: 1, maxLength: 8 }),
      diagnoses: fc.array(
        fc.record(
          {
            code: fc.oneof(
              fc.constantFrom("M54.16", "I10"),
              fc.stringMatching(/^[A-TV-Z]\d[\dAB](?:\.[0-9A-Z]{1,4})?$/),
            ),
            date: day,
            description: text,
          },
          { requiredKeys: ["code"] },
        ),
        { minLength: 1, maxLength: 12 },
      ),
      serviceTypeCode: fc.stringMatching(/^[A-Z0-9]{1,3}$/),
      placeOfServiceCode: digits(2),
      dates: period,
      requestTypeCode: fc.constantFrom("AR" as const, "HS" as const, "SC" as const),
      certificationTypeCode: fc.constantFrom("I", "R"),
      serviceLevelCode: fc.constantFrom("U" as const, "E" as const, "03" as const),
      providerNotes: fc.array(fc.record({ message: fc.string({ unit: "grapheme", maxLength: 600 }) }), {
        maxLength: 3,
      }),
      subscriber: fc.record({
        memberId: fc.stringMatching(/^[A-Za-z0-9-]{2,30}$/),
        lastName: name,
        firstName: name,
      }),
      relationship: fc.constantFrom("18", "19", "01", "G8"),
      requestingProvider: providers,
      renderingProviders: fc.array(providers, { maxLength: 4 }),
    },
    {
      requiredKeys: [
        "procedures",
        "diagnoses",
        "serviceTypeCode",
        "placeOfServiceCode",
        "dates",
        "subscriber",
        "relationship",
        "requestingProvider",
      ],
    },
  )
  .map(({ dates: [fromDate, toDate], relationship, ...members }) =>
    aReview({
      ...members,
      fromDate,
      toDate,
      patient: { ...aReview().patient, subscriberRelationshipCode: relationship },
    }),
  );

const located = {
  addressLine1: "1 Elm Street",
  addressLine2: "Floor 2",
  city: "Springfield",
  stateCode: "IL",
  zipCode: "62701",
};

const personal = {
  middleName: "Lee",
  namePrefix: "Mx",
  nameSuffix: "Jr",
  phone: "5550103",
  languageCode: "en",
  ...located,
};

/** Everything a review can say that PAS carries. */
export const fullReview: ServiceReview = aReview({
  procedures: [
    {
      code: "97110",
      description: "therapy",
      modifierCode1: "GP",
      modifierCode2: "59",
      quantity: 12,
      quantityTypeCode: "VS",
      fromDate: "2026-12-01",
      toDate: "2026-12-20",
      codeEnd: "97112",
      unitPrice: 85.5,
      renderingProviderNpis: ["1679576722"],
      traceNumber: "LINE-1",
      authorizationNumber: "AUTH-0",
      epsdt: false,
      order: { type: "service", date: "2026-11-20" },
    },
    {
      code: "E0601",
      quantity: 1,
      fromDate: "2026-12-05",
      revenueCode: "0420",
      revenueUnitRateLimit: 120,
      nursingHomeLevelOfCareCode: "2",
      nursingHomeResidentialStatusCode: "2",
      toothCode: "14",
      order: { type: "device", date: "2026-11-20" },
    },
    { code: "0SRC0J9" },
    {
      code: "00093-7214-01",
      qualifierCode: "N4",
      quantity: 30,
      quantityTypeCode: "UN",
      order: { type: "medication", date: "2026-11-20", directions: "One tablet a day." },
    },
    { code: "B4150", quantity: 60, quantityTypeCode: "UN", order: { type: "nutrition" } },
  ],
  coverage: {
    groupNumber: "G-77",
    groupName: "Elm Street Employees",
    planNumber: "P-1",
    planName: "Silver",
    fromDate: "2026-01-01",
    toDate: "2026-12-31",
  },
  authorizationNumber: "AUTH-2025",
  admissionTypeCode: "2",
  admissionSourceCode: "5",
  patientStatusCode: "30",
  nursingHomeResidentialStatusCode: "2",
  dischargeDate: "2026-12-31",
  facility: {
    name: "Elm Street Hospital",
    npi: "1245319599",
    phone: "5550110",
    addressLine1: "3 Elm Street",
    city: "Springfield",
    stateCode: "IL",
    zipCode: "62701",
  },
  accident: { date: "2026-09-01", typeCode: "AA", stateCode: "IL" },
  conditions: [{ categoryCode: "07", applies: true, codes: ["09"] }],
  homeHealth: { prognosisCode: "1", startDate: "2026-12-01" },
  retrospectiveReason: "The patient was unconscious.",
  emergencyReason: "Fall from a height.",
  requestTypeCode: "AR",
  certificationTypeCode: "R",
  serviceLevelCode: "U",
  diagnoses: [
    { code: "M5416", qualifierCode: "ABK", date: "2026-10-01", description: "radiculopathy" },
    { code: "I10", qualifierCode: "ABJ" },
    { code: "E11.9", qualifierCode: "ABF" },
  ],
  providerNotes: [{ message: "word ".repeat(100) }, { message: "Short." }],
  subscriber: { memberId: "M1000", lastName: "Holder", firstName: "Pat", ...personal },
  patient: { ...aReview().patient, subscriberRelationshipCode: "19", birthOrder: 2, ...personal },
  requestingProvider: {
    npi: "1234567893",
    taxId: "123456789",
    lastName: "Sample",
    firstName: "Kim",
    organizationName: "Elm Street",
    specialtyCode: "225100000X",
    contactName: "Desk",
    phone: "5550100",
    fax: "5550101",
    ...located,
  },
  renderingProviders: [
    { npi: "1234567893", lastName: "Sample" },
    {
      npi: "1679576722",
      taxId: "987654321",
      organizationName: "Other Clinic",
      specialtyCode: "261QP2000X",
      roleCode: "SJ",
      phone: "5550102",
      ...located,
    },
    { npi: "1245319599", lastName: "Hand" },
  ],
});

/** A file as it is stored with a revision. */
export function anAttachment(
  content: string,
  since = 1,
  contentType: OpenAttachment["contentType"] = "text/plain",
): OpenAttachment {
  const bytes = Buffer.from(content, "utf8");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { sha256, contentType, size: bytes.byteLength, name: "Testperson, Robin.pdf", since, bytes };
}

/** Some files, each once. */
export const attachments: fc.Arbitrary<readonly OpenAttachment[]> = fc
  .uniqueArray(fc.tuple(fc.string({ minLength: 1 }), fc.constantFrom(...attachmentTypes)), {
    maxLength: 3,
    selector: ([content]) => content,
  })
  .map((files) => files.map(([content, type]) => anAttachment(content, 1, type)));
