import type { RequirableField } from "#lib/task/model/required-fields";

/** What people call each field that a payer connection may require. */
export const requirableFieldLabels = {
  "/subscriber/memberId": "member ID",
  "/subscriber/lastName": "subscriber's last name",
  "/subscriber/firstName": "subscriber's first name",
  "/patient/lastName": "patient's last name",
  "/patient/firstName": "patient's first name",
  "/patient/birthDate": "date of birth",
  "/patient/genderCode": "sex",
  "/patient/subscriberRelationshipCode": "relationship to the subscriber",
  "/requestingProvider/npi": "requesting provider's NPI",
  "/requestingProvider/taxId": "requesting provider's tax ID",
  "/requestingProvider/specialtyCode": "requesting provider's taxonomy code",
  "/requestingProvider/contactName": "requesting provider's contact",
  "/requestingProvider/phone": "requesting provider's phone",
  "/requestingProvider/fax": "requesting provider's fax",
  "/renderingProviders": "a rendering provider",
  "/renderingProviders/*/npi": "every rendering provider's NPI",
  "/renderingProviders/*/taxId": "every rendering provider's tax ID",
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
} as const satisfies Readonly<Record<RequirableField, string>>;

const labels: Readonly<Record<string, string>> = requirableFieldLabels;

/** The name of a required field; its pointer where it has none. */
export function requiredText(pointer: string): string {
  return Object.hasOwn(labels, pointer) ? (labels[pointer] ?? pointer) : pointer;
}
