import { isBlank } from "#lib/platform/visible-length";
import type { ServiceReview } from "./service-review.ts";

/** What a payer connection may require in every request, as JSON pointers; `*` stands for every item of a list. */
export const requirableFields = [
  "/subscriber/memberId",
  "/subscriber/lastName",
  "/subscriber/firstName",
  "/patient/lastName",
  "/patient/firstName",
  "/patient/birthDate",
  "/patient/genderCode",
  "/patient/subscriberRelationshipCode",
  "/requestingProvider/npi",
  "/requestingProvider/taxId",
  "/requestingProvider/specialtyCode",
  "/requestingProvider/contactName",
  "/requestingProvider/phone",
  "/requestingProvider/fax",
  "/renderingProviders",
  "/renderingProviders/*/npi",
  "/renderingProviders/*/taxId",
  "/diagnoses",
  "/procedures/*/quantity",
  "/procedures/*/fromDate",
  "/procedures/*/modifierCode1",
  "/procedures/*/toothCode",
  "/serviceTypeCode",
  "/placeOfServiceCode",
  "/fromDate",
  "/toDate",
  "/quantity",
  "/providerNotes",
] as const;

export type RequirableField = (typeof requirableFields)[number];

export function isRequirable(pointer: string): pointer is RequirableField {
  return requirableFields.some((field) => field === pointer);
}

/** JSON pointers of where the review lacks one required field. Works for whatever the agent wrote. */
export function lacking(review: ServiceReview, pointer: string): readonly string[] {
  return walk(review, pointer.split("/").slice(1), "");
}

function walk(value: unknown, [part, ...rest]: readonly string[], at: string): readonly string[] {
  if (part === undefined) return isThere(value) ? [] : [at];
  if (part === "*") {
    // An empty list is not this field's concern: there is no item without it.
    return Array.isArray(value) ? value.flatMap((item, index) => walk(item, rest, `${at}/${index}`)) : [];
  }
  const member = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return walk(member, rest, `${at}/${part}`);
}

function isThere(value: unknown): boolean {
  if (typeof value === "string") return !isBlank(value);
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
