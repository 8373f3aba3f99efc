import type { Provider, ServiceReview } from "#lib/task/model/service-review";
import { solid } from "./solid.ts";

/*
 * What X12 278 needs of a service review, whatever wire leads to it: JSON
 * pointers into the review of what is missing or cannot travel.
 */

/** More diagnoses than X12 278 carries would be cut off on the way, so they block. */
const diagnosesMax = 12;

/** The X12 1069 code for a patient who is the subscriber. */
export const self = "18";

/** Who is insured and who is treated; a wire that needs the patient's gender says so. */
export function memberNeeds(
  { subscriber, patient }: ServiceReview,
  { gender }: { readonly gender: boolean },
): readonly string[] {
  const relationship = patient?.subscriberRelationshipCode;
  const dependent = relationship !== undefined && relationship !== self;
  return needs([
    ["/subscriber/memberId", subscriber?.memberId === undefined],
    ["/subscriber/lastName", dependent && !solid(subscriber?.lastName)],
    ["/subscriber/firstName", dependent && !solid(subscriber?.firstName)],
    ["/patient/lastName", !solid(patient?.lastName)],
    ["/patient/firstName", !solid(patient?.firstName)],
    ["/patient/birthDate", patient?.birthDate === undefined],
    ["/patient/genderCode", gender && patient?.genderCode === undefined],
    ["/patient/subscriberRelationshipCode", relationship === undefined],
  ]);
}

/** Who asks and who renders: each with an NPI and a name. */
export function providersNeeds({ requestingProvider, renderingProviders = [] }: ServiceReview): readonly string[] {
  return [
    ...providerNeeds("/requestingProvider", requestingProvider),
    ...renderingProviders.flatMap((provider, index) => providerNeeds(`/renderingProviders/${index}`, provider)),
  ];
}

function providerNeeds(at: string, provider: Provider | undefined): readonly string[] {
  return needs([
    [`${at}/npi`, provider?.npi === undefined],
    [`${at}/lastName`, !solid(provider?.lastName) && !solid(provider?.organizationName)],
  ]);
}

/** At least one diagnosis, at most twelve, and one principal. */
export function diagnosisNeeds({ diagnoses = [] }: ServiceReview): readonly string[] {
  const principals = diagnoses.flatMap(({ qualifierCode }, index) => (qualifierCode === "ABK" ? [index] : []));
  return [
    ...needs([
      ["/diagnoses", diagnoses.length === 0],
      [`/diagnoses/${diagnosesMax}`, diagnoses.length > diagnosesMax],
    ]),
    ...principals.slice(1).map((index) => `/diagnoses/${index}/qualifierCode`),
  ];
}

/** The pointers of what is missing. */
export function needs(list: readonly (readonly [pointer: string, missing: boolean])[]): readonly string[] {
  return list.flatMap(([pointer, missing]) => (missing ? [pointer] : []));
}
