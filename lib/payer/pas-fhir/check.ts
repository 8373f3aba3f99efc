import { codeSystemOf } from "#lib/task/model/formats";
import type { ServiceReview } from "#lib/task/model/service-review";
import { diagnosisNeeds, memberNeeds, needs, providersNeeds } from "#lib/payer/x12-needs";

/** Care team members of the whole claim that X12 278 carries (PAS Claim.careTeam). */
const careTeamMax = 14;

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
    ...memberNeeds(review, { gender: true }),
    ...providersNeeds(review),
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
