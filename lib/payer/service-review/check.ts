import { codeSystemOf } from "#lib/domain/formats";
import type { Provider, ServiceReview } from "#lib/domain/service-review";

/** More diagnoses than X12 278 carries would be cut off on the way, so they block. */
const diagnosesMax = 12;

/** The X12 1069 code for a patient who is the subscriber. */
const self = "18";

/**
 * JSON pointers into the service review of what this wire still needs, in the
 * order of the sheet. Its contract requires nothing by itself; this is what X12
 * 278 needs under it. A pointer to something present names a value that cannot
 * travel: a thirteenth diagnosis, a request type or certification type the wire
 * has no place for.
 */
export function check(review: ServiceReview): readonly string[] {
  return [
    ...memberNeeds(review),
    ...providerNeeds("/requestingProvider", review.requestingProvider),
    ...(review.renderingProviders ?? []).flatMap((provider, index) =>
      providerNeeds(`/renderingProviders/${index}`, provider),
    ),
    ...diagnosisNeeds(review),
    ...needs([
      ["/requestTypeCode", review.requestTypeCode === "IN"],
      ["/certificationTypeCode", (review.certificationTypeCode ?? "I") !== "I"],
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

/** HC says itself for CPT and HCPCS; what else a code is from, only its sender knows. */
function procedureNeeds({ procedures }: ServiceReview): readonly string[] {
  return procedures.flatMap(({ code, qualifierCode }, index) => {
    const system = codeSystemOf(code);
    return needs([
      [`/procedures/${index}/qualifierCode`, qualifierCode === undefined && system !== "CPT" && system !== "HCPCS"],
    ]);
  });
}

function needs(list: readonly (readonly [pointer: string, missing: boolean])[]): readonly string[] {
  return list.flatMap(([pointer, missing]) => (missing ? [pointer] : []));
}
