import { z } from "zod";
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
const date = z.string().refine(isDate, "must be a calendar date YYYY-MM-DD");
const npi = z.string().refine(isNpi, "must be a 10-digit NPI with a valid check digit");
const code = (pattern: RegExp, what: string) => z.string().regex(pattern, `must be ${what}`);
const modifier = code(/^[A-Z0-9]{2}$/, "a two-character modifier");
const quantity = z.number().positive("must be greater than 0").max(99_999, "must be at most 99999");
const quantityType = code(/^[A-Z0-9]{2}$/, "a two-character quantity unit such as UN, VS or DY");

const provider = z.looseObject({
  npi: npi.optional(),
  taxId: code(/^\d{9}$/, "a nine-digit tax id").optional(),
  lastName: short.optional(),
  firstName: short.optional(),
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
});

const diagnosis = z.looseObject({
  code: z.string().refine(isIcd10Cm, "must be an ICD-10-CM code such as M54.16"),
  qualifierCode: z.enum(["ABK", "ABF", "ABJ"], "must be ABK, ABF or ABJ").optional(),
  description: text.optional(),
  date: date.optional(),
});

/**
 * What an agent asks a payer to certify. Only the payer's id and one procedure
 * code are required to open a task; the rest is checked for its format where
 * present and asked for by the route. Field names follow the X12 278-shaped
 * JSON of the clearinghouses. Members we do not know are kept and never sent.
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
    })
    .optional(),
  patient: z
    .looseObject({
      lastName: short.optional(),
      firstName: short.optional(),
      birthDate: date.optional(),
      genderCode: z.enum(["F", "M", "U"], "must be F, M or U").optional(),
      subscriberRelationshipCode: code(/^[A-Z0-9]{2}$/, "a two-character relationship code").optional(),
    })
    .optional(),
  requestingProvider: provider.optional(),
  renderingProviders: z.array(provider).max(20, "must hold at most 20 providers").optional(),
  diagnoses: z.array(diagnosis).max(99, "must hold at most 99 diagnoses").optional(),
  providerNotes: z
    .array(z.looseObject({ message: text, date: date.optional() }))
    .max(99, "must hold at most 99 notes")
    .optional(),
  externalReference: short.optional(),
});

export type ServiceReview = z.infer<typeof serviceReviewSchema>;
export type Procedure = ServiceReview["procedures"][number];
export type Provider = NonNullable<ServiceReview["requestingProvider"]>;
export type Diagnosis = NonNullable<ServiceReview["diagnoses"]>[number];
