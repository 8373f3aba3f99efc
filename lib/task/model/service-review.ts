import { z } from "zod";
import { messageProblems } from "#lib/messages/problems/agent";
import { problems } from "#lib/messages/problems/field";
import { isBlank } from "#lib/platform/visible-length";
import { filesPerRevisionMax } from "./attachment.ts";
import { isDate, isIcd10Cm, isNpi } from "./formats.ts";

/** Most procedures one service review may ask for. */
const proceduresMax = 99;

/** An id or code: 1 to 64 characters, none of them a control character, and at least one that shows. */
export const idText = z
  .string()
  .min(1, problems.notEmpty)
  .max(64, problems.charactersMax(64))
  // oxlint-disable-next-line no-control-regex -- refusing control characters is the point
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, problems.noControlCharacters)
  .refine((given) => given === "" || !isBlank(given), problems.notBlank);

const text = z.string().max(10_000, problems.charactersMax(10_000));
const short = z.string().min(1, problems.notEmpty).max(200, problems.charactersMax(200));
const date = z.string().refine(isDate, messageProblems.calendarDate);
const npi = z.string().refine(isNpi, problems.npi);
const code = (pattern: RegExp, what: string) => z.string().regex(pattern, problems.be(what));
const modifier = code(/^[A-Z0-9]{2}$/, messageProblems.modifier);
const quantity = z
  .number()
  .positive(messageProblems.greaterThanZero)
  .refine((given) => given <= 0 || given >= 0.001, problems.atLeast(0.001))
  .max(99_999, problems.atMost(99_999));
const quantityType = code(/^[A-Z0-9]{2}$/, messageProblems.quantityUnit);

/** A short code of an X12 or NUBC list. The payer checks whether the list has it. */
const listCode = code(/^[A-Z0-9]{1,3}$/, messageProblems.shortCode);
const money = z.number().positive(messageProblems.greaterThanZero).max(99_999_999, problems.atMost(99_999_999));

/** A postal address in the United States. */
const address = {
  addressLine1: short.optional(),
  addressLine2: short.optional(),
  city: short.optional(),
  stateCode: code(/^[A-Z]{2}$/, messageProblems.stateCode).optional(),
  zipCode: code(/^\d{5}(?:-?\d{4})?$/, messageProblems.zipCode).optional(),
};

/** Details of a member besides the name. */
const member = {
  middleName: short.optional(),
  namePrefix: short.optional(),
  nameSuffix: short.optional(),
  ...address,
  phone: short.optional(),
  languageCode: code(/^[a-z]{2}(?:-[A-Z]{2})?$/, messageProblems.language).optional(),
};

const provider = z.looseObject({
  npi: npi.optional(),
  taxId: code(/^\d{9}$/, messageProblems.taxId).optional(),
  lastName: short.optional(),
  firstName: short.optional(),
  middleName: short.optional(),
  /** X12 98: the role of a rendering provider, such as 72 for an operating physician. */
  roleCode: listCode.optional(),
  ...address,
  organizationName: short.optional(),
  specialtyCode: code(/^[0-9A-Z]{9}X$/, messageProblems.taxonomyCode).optional(),
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
  revenueCode: code(/^\d{4}$/, messageProblems.revenueCode).optional(),
  fromDate: date.optional(),
  toDate: date.optional(),
  /** The last code of a range that begins with `code`. */
  codeEnd: idText.optional(),
  /** US dollars per unit. */
  unitPrice: money.optional(),
  /** The rendering providers of this service; all of them if absent. */
  renderingProviderNpis: z.array(npi).min(1, problems.notEmpty).max(20, problems.listMax(20, "NPIs")).optional(),
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
  /** The tooth, in the universal numbering of the ADA: permanent 1 to 32, primary A to T, and supernumerary ones. */
  toothCode: code(/^(?:[1-9]|[12]\d|3[0-2]|5[1-9]|[67]\d|8[0-2]|[A-T]S?)$/, messageProblems.tooth).optional(),
  /** The order behind this line, for payers that require it. */
  order: z
    .looseObject({
      type: z.enum(["service", "device", "medication", "nutrition"], messageProblems.orderType),
      date: date.optional(),
      /** How a medication is taken, in words. */
      directions: short.optional(),
    })
    .optional(),
});

const diagnosis = z.looseObject({
  code: z.string().refine(isIcd10Cm, messageProblems.icd10Cm),
  qualifierCode: z.enum(["ABK", "ABF", "ABJ"], messageProblems.diagnosisQualifier).optional(),
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
    .min(1, messageProblems.oneProcedure)
    .max(proceduresMax, problems.listMax(proceduresMax, "procedures")),
  requestTypeCode: z.enum(["AR", "HS", "SC", "IN"], messageProblems.requestType).optional(),
  certificationTypeCode: code(/^[A-Z0-9]$/, messageProblems.certificationType).optional(),
  serviceTypeCode: code(/^[A-Z0-9]{1,3}$/, messageProblems.serviceType).optional(),
  placeOfServiceCode: code(/^\d{2}$/, messageProblems.placeOfService).optional(),
  serviceLevelCode: z.enum(["U", "E", "03"], messageProblems.serviceLevel).optional(),
  urgentAttestation: z.union([z.boolean(), text], messageProblems.urgentAttestation).optional(),
  fromDate: date.optional(),
  toDate: date.optional(),
  quantity: quantity.optional(),
  quantityTypeCode: quantityType.optional(),
  subscriber: z
    .looseObject({
      memberId: code(/^[A-Za-z0-9-]{2,30}$/, messageProblems.memberId).optional(),
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
      birthOrder: z.int(problems.wholeNumber).min(1, problems.atLeast(1)).max(9, problems.atMost(9)).optional(),
      birthDate: date.optional(),
      genderCode: z.enum(["F", "M", "U"], messageProblems.gender).optional(),
      subscriberRelationshipCode: code(/^[A-Z0-9]{2}$/, messageProblems.relationship).optional(),
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
  renderingProviders: z.array(provider).max(20, problems.listMax(20, "providers")).optional(),
  diagnoses: z.array(diagnosis).max(99, problems.listMax(99, "diagnoses")).optional(),
  providerNotes: z
    .array(z.looseObject({ message: text, date: date.optional() }))
    .max(99, problems.listMax(99, "notes"))
    .optional(),
  /** The number of an earlier authorization that this request renews or continues. */
  authorizationNumber: idText.optional(),
  /** NUBC priority of an admission or visit. If present, the request describes the stay. */
  admissionTypeCode: code(/^[1-9]$/, messageProblems.admissionType).optional(),
  admissionSourceCode: code(/^[0-9A-Z]$/, messageProblems.admissionSource).optional(),
  patientStatusCode: code(/^\d{2}$/, messageProblems.patientStatus).optional(),
  nursingHomeResidentialStatusCode: listCode.optional(),
  dischargeDate: date.optional(),
  /** Where the service is provided. */
  facility: z
    .looseObject({ name: short.optional(), npi: npi.optional(), phone: short.optional(), ...address })
    .optional(),
  accident: z
    .looseObject({
      date: date.optional(),
      typeCode: code(/^[A-Z]{2}$/, messageProblems.accidentType).optional(),
      stateCode: code(/^[A-Z]{2}$/, messageProblems.stateCode).optional(),
    })
    .optional(),
  /** X12 CRC: conditions that apply, or do not apply, to the patient. */
  conditions: z
    .array(
      z.looseObject({
        categoryCode: listCode,
        applies: z.boolean(),
        codes: z.array(listCode).min(1, problems.notEmpty).max(5, problems.listMax(5, "codes")),
      }),
    )
    .max(10, problems.listMax(10, "conditions"))
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
        loincCode: code(/^\d{1,7}-\d$/, messageProblems.loincCode).optional(),
        reportTypeCode: code(/^[A-Z0-9]{2}$/, messageProblems.reportType).optional(),
      }),
    )
    .max(filesPerRevisionMax, problems.listMax(filesPerRevisionMax, "files"))
    .optional(),
  /** Contests the determination of the request that the message names by taskId, and why. */
  appeal: z
    .looseObject({
      type: z.enum(["reconsideration", "appeal"], messageProblems.appealType),
      reason: z.string().min(1, problems.notEmpty).max(10_000, problems.charactersMax(10_000)),
    })
    .optional(),
});

export type ServiceReview = z.infer<typeof serviceReviewSchema>;
export type Procedure = ServiceReview["procedures"][number];
export type Provider = NonNullable<ServiceReview["requestingProvider"]>;
export type Diagnosis = NonNullable<ServiceReview["diagnoses"]>[number];

/** What lists show of a case and search by, without opening its review. */
export function queueFacts(review: ServiceReview) {
  const { procedures, patient, subscriber } = review;
  const name = [patient?.lastName ?? subscriber?.lastName, patient?.firstName ?? subscriber?.firstName];
  const known = name.filter((part) => part !== undefined).join(", ");
  return {
    procedureCodes: procedures.map(({ code }) => code),
    patient: known === "" ? undefined : known,
    memberId: subscriber?.memberId,
    urgent: isUrgent(review),
  };
}

export function isUrgent({ serviceLevelCode }: ServiceReview): boolean {
  return serviceLevelCode !== undefined && serviceLevelCode !== "E";
}
