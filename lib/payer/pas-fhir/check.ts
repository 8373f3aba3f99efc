import { codeSystemOf } from "#lib/domain/formats";
import type { Provider, ServiceReview } from "#lib/domain/service-review";

/** More diagnoses than X12 278 carries would be cut off on the way, so they block (PAS Claim.diagnosis). */
const diagnosesMax = 12;

/** Care team members of the whole claim that X12 278 carries (PAS Claim.careTeam). */
const careTeamMax = 14;

/** The X12 1069 code for a patient who is the subscriber. */
export const self = "18";

/**
 * JSON pointers into the service review of what a PAS 2.2.1 request still
 * needs, in the order of the sheet. A pointer to something present names a
 * value that cannot travel: a thirteenth diagnosis, a code of no known system.
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
      ["/fromDate", review.fromDate === undefined && review.procedures.some(({ fromDate }) => fromDate === undefined)],
    ]),
    ...procedureNeeds(review),
  ];
}

function memberNeeds({ subscriber, patient }: ServiceReview): readonly string[] {
  const relationship = patient?.subscriberRelationshipCode;
  const dependent = relationship !== undefined && relationship !== self;
  return needs([
    ["/subscriber/memberId", subscriber?.memberId === undefined],
    ["/subscriber/lastName", dependent && subscriber?.lastName === undefined],
    ["/subscriber/firstName", dependent && subscriber?.firstName === undefined],
    ["/patient/lastName", patient?.lastName === undefined],
    ["/patient/firstName", patient?.firstName === undefined],
    ["/patient/birthDate", patient?.birthDate === undefined],
    ["/patient/genderCode", patient?.genderCode === undefined],
    ["/patient/subscriberRelationshipCode", relationship === undefined],
  ]);
}

function providerNeeds(at: string, provider: Provider | undefined): readonly string[] {
  const unnamed = provider?.lastName === undefined && provider?.organizationName === undefined;
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

/** PAS has quantities on items only, so one for several procedures together must be given per procedure. */
function procedureNeeds({ procedures, quantity }: ServiceReview): readonly string[] {
  const shared = quantity !== undefined && procedures.length > 1;
  return procedures.flatMap((procedure, index) =>
    needs([
      [`/procedures/${index}/code`, codeSystemOf(procedure.code) === undefined],
      [`/procedures/${index}/quantity`, shared && procedure.quantity === undefined],
    ]),
  );
}

function needs(list: readonly (readonly [pointer: string, missing: boolean])[]): readonly string[] {
  return list.flatMap(([pointer, missing]) => (missing ? [pointer] : []));
}
