import type { Provider, ServiceReview } from "#lib/task/model/service-review";
import { nonBlank } from "./wire-text.ts";

/*
 * What X12 278 requires of a service review, over any protocol: JSON pointers into the review of members that are missing
 * or cannot be sent.
 */

/** Most diagnoses of X12 278. Further ones would be lost on the way, so they are refused. */
const diagnosesMax = 12;

/** The X12 1069 code for a patient who is the subscriber. */
export const self = "18";

/** The needed members of subscriber and patient; `gender` is whether the protocol needs the patient's gender. */
export function memberNeeds(
  { subscriber, patient }: ServiceReview,
  { gender }: { readonly gender: boolean },
): readonly string[] {
  const relationship = patient?.subscriberRelationshipCode;
  const dependent = relationship !== undefined && relationship !== self;
  return needs([
    ["/subscriber/memberId", subscriber?.memberId === undefined],
    ["/subscriber/lastName", dependent && !nonBlank(subscriber?.lastName)],
    ["/subscriber/firstName", dependent && !nonBlank(subscriber?.firstName)],
    ["/patient/lastName", !nonBlank(patient?.lastName)],
    ["/patient/firstName", !nonBlank(patient?.firstName)],
    ["/patient/birthDate", patient?.birthDate === undefined],
    ["/patient/genderCode", gender && patient?.genderCode === undefined],
    ["/patient/subscriberRelationshipCode", relationship === undefined],
  ]);
}

/** The needed members of the requesting and rendering providers: each needs an NPI and a name. */
export function providersNeeds({ requestingProvider, renderingProviders = [] }: ServiceReview): readonly string[] {
  return [
    ...providerNeeds("/requestingProvider", requestingProvider),
    ...renderingProviders.flatMap((provider, index) => providerNeeds(`/renderingProviders/${index}`, provider)),
  ];
}

function providerNeeds(at: string, provider: Provider | undefined): readonly string[] {
  return needs([
    [`${at}/npi`, provider?.npi === undefined],
    [`${at}/lastName`, !nonBlank(provider?.lastName) && !nonBlank(provider?.organizationName)],
  ]);
}

/** The needed diagnoses: at least one, at most twelve, and at most one principal. */
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

/** The pointers of the missing members. */
export function needs(list: readonly (readonly [pointer: string, missing: boolean])[]): readonly string[] {
  return list.flatMap(([pointer, missing]) => (missing ? [pointer] : []));
}
