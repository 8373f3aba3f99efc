import type { ServiceReview } from "#lib/task/model/service-review";

/** Members that a reviewer may ask about even if they are absent. */
const always = [
  "/payer/id",
  "/subscriber/memberId",
  "/subscriber/lastName",
  "/subscriber/firstName",
  "/patient/lastName",
  "/patient/firstName",
  "/patient/birthDate",
  "/patient/genderCode",
  "/patient/subscriberRelationshipCode",
  "/requestingProvider",
  "/serviceLevelCode",
  "/serviceTypeCode",
  "/placeOfServiceCode",
  "/fromDate",
  "/toDate",
  "/quantity",
  "/providerNotes",
] as const;

/**
 * JSON pointers that a question to the agent may name. Known members only, so that no pointer contains patient data.
 */
export function askableFields({ procedures, diagnoses, renderingProviders }: ServiceReview): readonly string[] {
  return [
    ...each("procedures", procedures),
    ...each("diagnoses", diagnoses),
    ...each("renderingProviders", renderingProviders),
    ...always,
  ];
}

function each(name: string, list: readonly unknown[] = []): readonly string[] {
  return list.length === 0 ? [`/${name}`] : list.map((_, index) => `/${name}/${index}`);
}
