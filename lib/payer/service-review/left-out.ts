import type { ServiceReview } from "#lib/task/model/service-review";

const ofRequest = ["coverage", "fileTypes"] as const satisfies readonly (keyof ServiceReview)[];

const ofMember = ["namePrefix", "phone", "languageCode"] as const;

type Procedure = ServiceReview["procedures"][number];

const ofProcedure = [
  ...["traceNumber", "order", "nursingHomeLevelOfCareCode", "nursingHomeResidentialStatusCode"],
  "revenueUnitRateLimit",
] as const satisfies readonly (keyof Procedure)[];

/**
 * JSON pointers of what the review says and the vendor's contract has no place for, in the order of the review. What is said
 * in a note instead (`factNotes`) is not left out.
 */
export function leftOut(review: ServiceReview): readonly string[] {
  const { subscriber, patient, procedures, coverage } = review;
  return [
    ...present({ ...review, coverage: isStated(coverage) ? coverage : undefined }, ofRequest, ""),
    ...present(subscriber, ofMember, "/subscriber"),
    ...present(patient, [...ofMember, "birthOrder"], "/patient"),
    ...procedures.flatMap((procedure, index) => present(procedure, ofProcedure, `/procedures/${index}`)),
  ];
}

/** Of a coverage, the line of business is for us alone. */
function isStated(coverage: ServiceReview["coverage"]): boolean {
  const { lineOfBusiness: _, ...stated } = coverage ?? {};
  return Object.values(stated).some((member) => member !== undefined);
}

function present<Of extends object>(of: Of | undefined, names: readonly (keyof Of & string)[], at: string): string[] {
  return names.flatMap((name) => (of?.[name] === undefined ? [] : [`${at}/${name}`]));
}
