import type { ServiceReview } from "./service-review.ts";

/** What a payer connection may require in every request, with its name; `*` stands for every item of a list. */
export const requirableFields = {
  "/subscriber/memberId": "member id",
  "/subscriber/lastName": "subscriber's last name",
  "/subscriber/firstName": "subscriber's first name",
  "/patient/lastName": "patient's last name",
  "/patient/firstName": "patient's first name",
  "/patient/birthDate": "date of birth",
  "/patient/genderCode": "gender",
  "/patient/subscriberRelationshipCode": "relationship to the subscriber",
  "/requestingProvider/npi": "requesting provider's NPI",
  "/requestingProvider/taxId": "requesting provider's tax id",
  "/requestingProvider/specialtyCode": "requesting provider's taxonomy code",
  "/requestingProvider/contactName": "requesting provider's contact",
  "/requestingProvider/phone": "requesting provider's phone",
  "/requestingProvider/fax": "requesting provider's fax",
  "/renderingProviders": "a rendering provider",
  "/renderingProviders/*/npi": "every rendering provider's NPI",
  "/renderingProviders/*/taxId": "every rendering provider's tax id",
  "/diagnoses": "a diagnosis",
  "/procedures/*/quantity": "every line's quantity",
  "/procedures/*/fromDate": "every line's first day",
  "/procedures/*/modifierCode1": "every line's modifier",
  "/procedures/*/toothCode": "every line's tooth",
  "/serviceTypeCode": "service type",
  "/placeOfServiceCode": "place of service",
  "/fromDate": "first day",
  "/toDate": "last day",
  "/quantity": "quantity",
  "/providerNotes": "a clinical note",
} as const satisfies Readonly<Record<string, string>>;

export type RequirableField = keyof typeof requirableFields;

export function isRequirable(pointer: string): pointer is RequirableField {
  return Object.hasOwn(requirableFields, pointer);
}

/** The name of a required field. */
export function requiredText(pointer: string): string {
  return isRequirable(pointer) ? requirableFields[pointer] : pointer;
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
  if (typeof value === "string") return value.trim() !== "";
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
