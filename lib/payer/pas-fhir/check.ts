import { codeSystemOf } from "#lib/task/model/formats";
import type { ServiceReview } from "#lib/task/model/service-review";
import { diagnosisNeeds, memberNeeds, needs, providersNeeds } from "#lib/payer/x12-needs";

/** Most care team members of a claim in X12 278 (PAS Claim.careTeam). */
const careTeamMax = 14;

/** X12 1322 codes that a request for services cannot have, because they revise or cancel an earlier one. */
const laterTypes: readonly (string | undefined)[] = ["S", "3"];

/**
 * JSON pointers into the service review of the members that a PAS request still needs, in the order of the form. A pointer to
 * a present member names a value that cannot be sent: a thirteenth diagnosis, a code of no known system, a period that ends
 * before it starts.
 */
export function check(review: ServiceReview): readonly string[] {
  return [
    ...memberNeeds(review, { gender: true }),
    ...providersNeeds(review),
    ...needs([[`/renderingProviders/${careTeamMax}`, (review.renderingProviders ?? []).length > careTeamMax]]),
    ...diagnosisNeeds(review),
    ...needs([
      ["/serviceTypeCode", review.serviceTypeCode === undefined],
      ["/placeOfServiceCode", review.placeOfServiceCode === undefined],
      ["/certificationTypeCode", laterTypes.includes(review.certificationTypeCode)],
      // PAS invariant ImmediateLevelOfCare: an immediate appeal states its level of service.
      ["/serviceLevelCode", review.certificationTypeCode === "1" && review.serviceLevelCode === undefined],
      ["/fromDate", review.fromDate === undefined && needsDates(review)],
      ["/toDate", endsEarly(review)],
      ["/dischargeDate", endsEarly({ fromDate: review.fromDate, toDate: review.dischargeDate })],
      ["/accident/date", review.accident !== undefined && review.accident.date === undefined],
      ["/homeHealth/prognosisCode", review.homeHealth !== undefined && review.homeHealth.prognosisCode === undefined],
      ["/homeHealth/startDate", review.homeHealth !== undefined && review.homeHealth.startDate === undefined],
      ["/facility", hasNoPlace(review)],
      ["/admissionTypeCode", review.admissionTypeCode === undefined && describesStay(review)],
    ]),
    ...procedureNeeds(review),
  ];
}

/** A facility without a stay takes part among the rendering providers, where it finds no place beside fourteen. */
function hasNoPlace({ renderingProviders = [], facility, admissionTypeCode }: ServiceReview): boolean {
  return facility !== undefined && admissionTypeCode === undefined && renderingProviders.length >= careTeamMax;
}

/** What is said of a stay travels with its admission type (PAS profile-encounter, Encounter.type). */
function describesStay(review: ServiceReview): boolean {
  const { admissionSourceCode, patientStatusCode, nursingHomeResidentialStatusCode } = review;
  return [admissionSourceCode, patientStatusCode, nursingHomeResidentialStatusCode].some((each) => each !== undefined);
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
function procedureNeeds({ procedures, quantity, renderingProviders = [] }: ServiceReview): readonly string[] {
  const shared = quantity !== undefined && procedures.length > 1;
  const npis = renderingProviders.map(({ npi }) => npi);
  return procedures.flatMap((procedure, index) =>
    needs([
      [`/procedures/${index}/code`, codeSystemOf(procedure.code) === undefined],
      [`/procedures/${index}/quantity`, shared && procedure.quantity === undefined],
      [`/procedures/${index}/fromDate`, procedure.toDate !== undefined && procedure.fromDate === undefined],
      [`/procedures/${index}/toDate`, endsEarly(procedure)],
      [
        `/procedures/${index}/codeEnd`,
        procedure.codeEnd !== undefined && codeSystemOf(procedure.codeEnd) !== codeSystemOf(procedure.code),
      ],
      [
        `/procedures/${index}/renderingProviderNpis`,
        procedure.renderingProviderNpis?.some((npi) => !npis.includes(npi)) === true,
      ],
    ]),
  );
}
