import type { Build } from "#lib/payer/connector";
import type { Diagnosis, Procedure, Provider, ServiceReview } from "#lib/task/model/service-review";
import { notesOf, splitNote } from "#lib/payer/wire-text";
import { traceNote } from "./vocabulary.ts";
import { factNotes } from "./fact-notes.ts";

type Text = string | undefined;

/** A service review as this wire writes it: every member optional, quantities as text. */
export type Document = ReturnType<typeof documentOf>;

/**
 * Writes a service review in the members of the clearinghouses' contract, which
 * has nearly the same names, and none that it does not have: what it has no
 * member for is in words. Our trace number goes along as the last provider note.
 */
export function documentOf({ review, destination }: Pick<Build, "review" | "destination">, trace: string) {
  const { subscriber, patient, requestingProvider, diagnoses = [] } = review;
  const marked = diagnoses.some(({ qualifierCode }) => qualifierCode === "ABK");
  const notes = [...[...notesOf(review), ...factNotes(review)].flatMap(splitNote), traceNote(trace)];
  return {
    payer: payerOf(review, destination),
    requestTypeCode: review.requestTypeCode ?? "HS",
    serviceTypeCode: review.serviceTypeCode,
    serviceLevelCode: review.serviceLevelCode,
    placeOfServiceCode: review.placeOfServiceCode,
    fromDate: review.fromDate,
    toDate: review.toDate,
    quantity: numeral(review.quantity),
    quantityTypeCode: review.quantityTypeCode,
    admissionTypeCode: review.admissionTypeCode,
    admissionSourceCode: review.admissionSourceCode,
    nursingHomeResidentialStatusCode: review.nursingHomeResidentialStatusCode,
    homeHealthStartDate: review.homeHealth?.startDate,
    requestingProvider: requestingProvider && providerOf(requestingProvider),
    subscriber: subscriber && {
      memberId: subscriber.memberId,
      lastName: subscriber.lastName,
      firstName: subscriber.firstName,
      ...furtherOf(subscriber),
    },
    patient: patient && {
      lastName: patient.lastName,
      firstName: patient.firstName,
      birthDate: patient.birthDate,
      genderCode: patient.genderCode,
      subscriberRelationshipCode: patient.subscriberRelationshipCode,
      ...furtherOf(patient),
      prognosisCode: review.homeHealth?.prognosisCode,
      statusCode: review.patientStatusCode,
    },
    renderingProviders: review.renderingProviders?.map((provider) => ({
      ...providerOf(provider),
      roleCode: provider.roleCode,
    })),
    diagnoses: diagnoses.map((diagnosis, index) => diagnosisOf(diagnosis, !marked && index === 0)),
    procedures: review.procedures.map(procedureOf),
    providerNotes: notes.map((message) => ({ message })),
  };
}

/** The payer as the request names it, unless that payer has another one review it or is called otherwise over this connection. */
export function payerOf(
  { payer }: Pick<ServiceReview, "payer">,
  { payerId, payerName }: Pick<Build["destination"], "payerId" | "payerName">,
): { readonly id: string; readonly name: Text } {
  return payerId === payer.id ? { id: payerId, name: payer.name } : { id: payerId, name: payerName };
}

/** The wire has one name for either: "the last name of an individual or the name of an organization". */
function providerOf(provider: Provider): Readonly<Record<string, Text>> {
  const { npi, taxId, lastName, firstName, organizationName, specialtyCode, contactName, phone, fax } = provider;
  return {
    npi,
    taxId,
    lastName: lastName ?? organizationName,
    firstName: lastName === undefined ? undefined : firstName,
    middleName: lastName === undefined ? undefined : provider.middleName,
    ...addressOf(provider),
    specialtyCode,
    contactName,
    phone: phoneDigits(phone),
    fax: phoneDigits(fax),
  };
}

type PostalAddress = Pick<Provider, "addressLine1" | "addressLine2" | "city" | "stateCode" | "zipCode">;

function addressOf({
  addressLine1,
  addressLine2,
  city,
  stateCode,
  zipCode,
}: PostalAddress): Readonly<Record<string, Text>> {
  return { addressLine1, addressLine2, city, stateCode, zipCode };
}

/** What is known of a member beyond the name, of what this wire has a place for. */
function furtherOf(
  member: PostalAddress & { readonly middleName?: Text; readonly nameSuffix?: Text },
): Readonly<Record<string, Text>> {
  return { middleName: member.middleName, suffix: member.nameSuffix, ...addressOf(member) };
}

/** X12 PER04 holds the ten digits of a number alone; what is no such number goes as it came, for its receiver to judge. */
function phoneDigits(number: Text): Text {
  const digits = number?.replaceAll(/\D/g, "").replace(/^1(?=\d{10}$)/, "");
  return digits?.length === 10 ? digits : number;
}

/** The first diagnosis is the principal one where none is marked so. */
function diagnosisOf({ code, qualifierCode, description, date }: Diagnosis, first: boolean) {
  return {
    code: code.length > 3 && !code.includes(".") ? `${code.slice(0, 3)}.${code.slice(3)}` : code,
    qualifierCode: qualifierCode ?? (first ? "ABK" : "ABF"),
    value: description === "" ? undefined : description,
    date,
  };
}

function procedureOf(procedure: Procedure) {
  const { code, qualifierCode = "HC", description, quantity, quantityTypeCode, revenueCode } = procedure;
  const { modifierCode1, modifierCode2, modifierCode3, modifierCode4, fromDate, toDate } = procedure;
  return {
    code,
    qualifierCode,
    description: description === "" ? undefined : description,
    modifierCode1,
    modifierCode2,
    modifierCode3,
    modifierCode4,
    quantity: numeral(quantity),
    quantityTypeCode,
    revenueCode,
    fromDate,
    toDate,
  };
}

function numeral(value: number | undefined): Text {
  return value === undefined ? undefined : String(value);
}
