import { codeSystemOf } from "#lib/domain/formats";
import type { Provider, ServiceReview } from "#lib/domain/service-review";
import { solid } from "./coded.ts";

/** More diagnoses than X12 278 carries would be cut off on the way, so they block (PAS Claim.diagnosis). */
const diagnosesMax = 12;

/** Care team members of the whole claim that X12 278 carries (PAS Claim.careTeam). */
const careTeamMax = 14;

/** The X12 1069 code for a patient who is the subscriber. */
export const self = "18";

/** X12 1322 codes no request for services can carry: it revises or takes back one that is already there. */
const laterTypes: readonly (string | undefined)[] = ["S", "3"];

/**
 * JSON pointers into the service review of what a PAS request still needs, in
 * the order of the sheet. A pointer to something present names a value that
 * cannot travel: a thirteenth diagnosis, a code of no known system, a period
 * that ends before it starts.
 */
export function check(review: ServiceReview): readonly string[] {
  return [
    ...memberNeeds(review),
    ...providerNeeds("/requestingProvider", review.requestingProvider),
    ...(review.renderingProviders ?? []).flatMap((provider, index) =>
      providerNeeds(`/renderingProviders/${index}`, provider),
    ),
    ...needs([[`/renderingProviders/${careTeamMax}`, (review.renderingProviders ?? []).length > careTeamMax]]),
    ...diagnosisNeeds(review),
    ...needs([
      ["/serviceTypeCode", review.serviceTypeCode === undefined],
      ["/placeOfServiceCode", review.placeOfServiceCode === undefined],
      ["/certificationTypeCode", laterTypes.includes(review.certificationTypeCode)],
      // PAS invariant ImmediateLevelOfCare: an immediate appeal says how urgent it is.
      ["/serviceLevelCode", review.certificationTypeCode === "1" && review.serviceLevelCode === undefined],
      ["/fromDate", review.fromDate === undefined && needsDates(review)],
      ["/toDate", endsEarly(review)],
    ]),
    ...procedureNeeds(review),
  ];
}

function memberNeeds({ subscriber, patient }: ServiceReview): readonly string[] {
  const relationship = patient?.subscriberRelationshipCode;
  const dependent = relationship !== undefined && relationship !== self;
  return needs([
    ["/subscriber/memberId", subscriber?.memberId === undefined],
    ["/subscriber/lastName", dependent && !solid(subscriber?.lastName)],
    ["/subscriber/firstName", dependent && !solid(subscriber?.firstName)],
    ["/patient/lastName", !solid(patient?.lastName)],
    ["/patient/firstName", !solid(patient?.firstName)],
    ["/patient/birthDate", patient?.birthDate === undefined],
    ["/patient/genderCode", patient?.genderCode === undefined],
    ["/patient/subscriberRelationshipCode", relationship === undefined],
  ]);
}

function providerNeeds(at: string, provider: Provider | undefined): readonly string[] {
  const unnamed = !solid(provider?.lastName) && !solid(provider?.organizationName);
  return needs([
    [`${at}/npi`, provider?.npi === undefined],
    [`${at}/lastName`, unnamed],
  ]);
}

function diagnosisNeeds({ diagnoses = [] }: ServiceReview): readonly string[] {
  const principals = diagnoses.flatMap(({ qualifierCode }, index) => (qualifierCode === "ABK" ? [index] : []));
  return [
    ...needs([
      ["/diagnoses", diagnoses.length === 0],
      [`/diagnoses/${diagnosesMax}`, diagnoses.length > diagnosesMax],
    ]),
    ...principals.slice(1).map((index) => `/diagnoses/${index}/qualifierCode`),
  ];
}

/** An admission has dates of its own; else each service has some, its own or those of the whole. */
function needsDates({ requestTypeCode, procedures }: ServiceReview): boolean {
  return requestTypeCode === "AR" || procedures.some(({ fromDate }) => fromDate === undefined);
}

/** FHIR Period, invariant per-1. */
function endsEarly({ fromDate, toDate }: Pick<ServiceReview, "fromDate" | "toDate">): boolean {
  return toDate !== undefined && fromDate !== undefined && toDate < fromDate;
}

/** PAS has quantities on items only, so one for several procedures together must be given per procedure. */
function procedureNeeds({ procedures, quantity }: ServiceReview): readonly string[] {
  const shared = quantity !== undefined && procedures.length > 1;
  return procedures.flatMap((procedure, index) =>
    needs([
      [`/procedures/${index}/code`, codeSystemOf(procedure.code) === undefined],
      [`/procedures/${index}/quantity`, shared && procedure.quantity === undefined],
      [`/procedures/${index}/fromDate`, procedure.toDate !== undefined && procedure.fromDate === undefined],
      [`/procedures/${index}/toDate`, endsEarly(procedure)],
    ]),
  );
}

function needs(list: readonly (readonly [pointer: string, missing: boolean])[]): readonly string[] {
  return list.flatMap(([pointer, missing]) => (missing ? [pointer] : []));
}
