import { z } from "zod";
import { filesPerRevisionMax } from "./attachment.ts";
import { isDate, isIcd10Cm, isNpi } from "./formats.ts";

/** Most procedures one service review may ask for. */
const proceduresMax = 99;

/** An id or code: 1 to 64 characters, none of them a control character. */
export const idText = z
  .string()
  .min(1, "must not be empty")
  .max(64, "must be at most 64 characters")
  // oxlint-disable-next-line no-control-regex -- refusing control characters is the point
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, "must not contain control characters");

const text = z.string().max(10_000, "must be at most 10000 characters");
const short = z.string().min(1, "must not be empty").max(200, "must be at most 200 characters");
const date = z.string().refine(isDate, "must be a calendar date YYYY-MM-DD from 1900 to 2199");
const npi = z.string().refine(isNpi, "must be a 10-digit NPI with a valid check digit");
const code = (pattern: RegExp, what: string) => z.string().regex(pattern, `must be ${what}`);
const modifier = code(/^[A-Z0-9]{2}$/, "a two-character modifier");
const quantity = z
  .number()
  .positive("must be greater than 0")
  .refine((given) => given <= 0 || given >= 0.001, "must be at least 0.001")
  .max(99_999, "must be at most 99999");
const quantityType = code(/^[A-Z0-9]{2}$/, "a two-character quantity unit such as UN, VS or DY");

/** A short code of an X12 or NUBC list. The payer checks whether the list has it. */
const listCode = code(/^[A-Z0-9]{1,3}$/, "a code of one to three characters");
const money = z.number().positive("must be greater than 0").max(99_999_999, "must be at most 99999999");

/** A postal address in the United States. */
const address = {
  addressLine1: short.optional(),
  addressLine2: short.optional(),
  city: short.optional(),
  stateCode: code(/^[A-Z]{2}$/, "a two-letter state code").optional(),
  zipCode: code(/^\d{5}(?:-?\d{4})?$/, "a ZIP code of five or nine digits").optional(),
};

/** Details of a member besides the name. */
const member = {
  middleName: short.optional(),
  namePrefix: short.optional(),
  nameSuffix: short.optional(),
  ...address,
  phone: short.optional(),
  languageCode: code(/^[a-z]{2}(?:-[A-Z]{2})?$/, "a language such as en or es-US").optional(),
};

const provider = z.looseObject({
  npi: npi.optional(),
  taxId: code(/^\d{9}$/, "a nine-digit tax id").optional(),
  lastName: short.optional(),
  firstName: short.optional(),
  middleName: short.optional(),
  /** X12 98: the role of a rendering provider, such as 72 for an operating physician. */
  roleCode: listCode.optional(),
  ...address,
  organizationName: short.optional(),
  specialtyCode: code(/^[0-9A-Z]{9}X$/, "a ten-character taxonomy code").optional(),
  contactName: short.optional(),
  phone: short.optional(),
  fax: short.optional(),
});

const procedure = z.looseObject({
  code: idText,
  qualifierCode: short.optional(),
  description: text.optional(),
  modifierCode1: modifier.optional(),
  modifierCode2: modifier.optional(),
  modifierCode3: modifier.optional(),
  modifierCode4: modifier.optional(),
  quantity: quantity.optional(),
  quantityTypeCode: quantityType.optional(),
  revenueCode: code(/^\d{4}$/, "a four-digit revenue code").optional(),
  fromDate: date.optional(),
  toDate: date.optional(),
  /** The last code of a range that begins with `code`. */
  codeEnd: idText.optional(),
  /** US dollars per unit. */
  unitPrice: money.optional(),
  /** The rendering providers of this service; all of them if absent. */
  renderingProviderNpis: z.array(npi).min(1, "must not be empty").max(20, "must hold at most 20 NPIs").optional(),
  /** The requester's own number for this line. */
  traceNumber: idText.optional(),
  /** The number of an earlier authorization of this service. */
  authorizationNumber: idText.optional(),
  /** Early and Periodic Screening, Diagnostic and Treatment (42 CFR 441 subpart B). */
  epsdt: z.boolean().optional(),
  nursingHomeLevelOfCareCode: listCode.optional(),
  nursingHomeResidentialStatusCode: listCode.optional(),
  /** The highest price of one unit of the revenue code, in US dollars. */
  revenueUnitRateLimit: money.optional(),
  /** The order behind this line, for payers that require it. */
  order: z
    .looseObject({
      type: z.enum(
        ["service", "device", "medication", "nutrition"],
        "must be service, device, medication or nutrition",
      ),
      date: date.optional(),
      /** How a medication is taken, in words. */
      directions: short.optional(),
    })
    .optional(),
});

const diagnosis = z.looseObject({
  code: z.string().refine(isIcd10Cm, "must be an ICD-10-CM code such as M54.16"),
  qualifierCode: z.enum(["ABK", "ABF", "ABJ"], "must be ABK, ABF or ABJ").optional(),
  description: text.optional(),
  date: date.optional(),
});

/**
 * What an agent asks a payer to certify. Only the payer's id and one procedure code are required to open a task. Other
 * members are checked for format if present, and required by the payer connection. Names follow the X12 278-shaped JSON
 * of the clearinghouses. Unknown members are stored and never submitted.
 */
export const serviceReviewSchema = z.looseObject({
  payer: z.looseObject({ id: idText, name: short.optional() }),
  procedures: z
    .array(procedure)
    .min(1, "must hold at least one procedure")
    .max(proceduresMax, `must hold at most ${proceduresMax} procedures`),
  requestTypeCode: z.enum(["AR", "HS", "SC", "IN"], "must be AR, HS, SC or IN").optional(),
  certificationTypeCode: code(/^[A-Z0-9]$/, "a one-character certification type").optional(),
  serviceTypeCode: code(/^[A-Z0-9]{1,3}$/, "a service type code of one to three characters").optional(),
  placeOfServiceCode: code(/^\d{2}$/, "a two-digit place of service").optional(),
  serviceLevelCode: z.enum(["U", "E", "03"], "must be U, E or 03; leave it out for routine").optional(),
  urgentAttestation: z.union([z.boolean(), text]).optional(),
  fromDate: date.optional(),
  toDate: date.optional(),
  quantity: quantity.optional(),
  quantityTypeCode: quantityType.optional(),
  subscriber: z
    .looseObject({
      memberId: code(/^[A-Za-z0-9-]{2,30}$/, "a member id of 2 to 30 letters, digits or hyphens").optional(),
      lastName: short.optional(),
      firstName: short.optional(),
      ...member,
    })
    .optional(),
  patient: z
    .looseObject({
      lastName: short.optional(),
      firstName: short.optional(),
      ...member,
      /** The order among children born together. */
      birthOrder: z.int("must be a whole number").min(1, "must be at least 1").max(9, "must be at most 9").optional(),
      birthDate: date.optional(),
      genderCode: z.enum(["F", "M", "U"], "must be F, M or U").optional(),
      subscriberRelationshipCode: code(/^[A-Z0-9]{2}$/, "a two-character relationship code").optional(),
    })
    .optional(),
  coverage: z
    .looseObject({
      groupNumber: short.optional(),
      groupName: short.optional(),
      planNumber: short.optional(),
      planName: short.optional(),
      /** Such as medicare-advantage or commercial. Any text: only the rules of the practice's payer directory read it. */
      lineOfBusiness: short.optional(),
      fromDate: date.optional(),
      toDate: date.optional(),
    })
    .optional(),
  requestingProvider: provider.optional(),
  renderingProviders: z.array(provider).max(20, "must hold at most 20 providers").optional(),
  diagnoses: z.array(diagnosis).max(99, "must hold at most 99 diagnoses").optional(),
  providerNotes: z
    .array(z.looseObject({ message: text, date: date.optional() }))
    .max(99, "must hold at most 99 notes")
    .optional(),
  /** The number of an earlier authorization that this request renews or continues. */
  authorizationNumber: idText.optional(),
  /** NUBC priority of an admission or visit. If present, the request describes the stay. */
  admissionTypeCode: code(/^[1-9]$/, "an admission type of one digit").optional(),
  admissionSourceCode: code(/^[0-9A-Z]$/, "an admission source of one character").optional(),
  patientStatusCode: code(/^\d{2}$/, "a two-digit patient status").optional(),
  nursingHomeResidentialStatusCode: listCode.optional(),
  dischargeDate: date.optional(),
  /** Where the service is provided. */
  facility: z
    .looseObject({ name: short.optional(), npi: npi.optional(), phone: short.optional(), ...address })
    .optional(),
  accident: z
    .looseObject({
      date: date.optional(),
      typeCode: code(/^[A-Z]{2}$/, "a two-letter accident type").optional(),
      stateCode: code(/^[A-Z]{2}$/, "a two-letter state code").optional(),
    })
    .optional(),
  /** X12 CRC: conditions that apply, or do not apply, to the patient. */
  conditions: z
    .array(
      z.looseObject({
        categoryCode: listCode,
        applies: z.boolean(),
        codes: z.array(listCode).min(1, "must not be empty").max(5, "must hold at most 5 codes"),
      }),
    )
    .max(10, "must hold at most 10 conditions")
    .optional(),
  homeHealth: z.looseObject({ prognosisCode: listCode.optional(), startDate: date.optional() }).optional(),
  /** Why the request is made after the service. */
  retrospectiveReason: text.optional(),
  /** What made it an emergency. */
  emergencyReason: text.optional(),
  externalReference: short.optional(),
  /** What the files of the request are, by their names; one that answers a payer's request has the code of that request. */
  fileTypes: z
    .array(
      z.looseObject({
        fileName: short,
        loincCode: code(/^\d{1,7}-\d$/, "a LOINC code such as 11506-3").optional(),
        reportTypeCode: code(/^[A-Z0-9]{2}$/, "a two-character report type such as 09").optional(),
      }),
    )
    .max(filesPerRevisionMax, `must hold at most ${filesPerRevisionMax} files`)
    .optional(),
  /** Contests the determination of the request that the message names by taskId, and why. */
  appeal: z
    .looseObject({
      type: z.enum(["reconsideration", "appeal"], "must be reconsideration or appeal"),
      reason: z.string().min(1, "must not be empty").max(10_000, "must be at most 10000 characters"),
    })
    .optional(),
});

export type ServiceReview = z.infer<typeof serviceReviewSchema>;
export type Procedure = ServiceReview["procedures"][number];
export type Provider = NonNullable<ServiceReview["requestingProvider"]>;
export type Diagnosis = NonNullable<ServiceReview["diagnoses"]>[number];
