import { askableFields } from "#lib/gate/model/askable-fields";
import type { ServiceReview } from "#lib/task/model/service-review";

const words: Readonly<Record<string, string>> = {
  "/procedures": "Lines",
  "/diagnoses": "Diagnoses",
  "/renderingProviders": "Rendering provider",
  "/payer/id": "Payer",
  "/subscriber/memberId": "Member id",
  "/subscriber/lastName": "Subscriber's last name",
  "/subscriber/firstName": "Subscriber's first name",
  "/patient/lastName": "Patient's last name",
  "/patient/firstName": "Patient's first name",
  "/patient/birthDate": "Date of birth",
  "/patient/genderCode": "Gender",
  "/patient/subscriberRelationshipCode": "Relationship to the subscriber",
  "/requestingProvider": "Requesting provider",
  "/serviceLevelCode": "Urgency",
  "/serviceTypeCode": "Service type",
  "/placeOfServiceCode": "Place of service",
  "/fromDate": "First day",
  "/toDate": "Last day",
  "/quantity": "Quantity",
  "/providerNotes": "Notes",
};

const items: Readonly<Record<string, string>> = {
  procedures: "Line",
  diagnoses: "Diagnosis",
  renderingProviders: "Rendering provider",
};

/** A member of the service review in words; the pointer itself where there are none for it. */
export function fieldText(pointer: string): string {
  const [, list = "", index] = /^\/([a-zA-Z]+)\/(\d+)$/.exec(pointer) ?? [];
  const item = items[list];
  return words[pointer] ?? (item === undefined ? pointer : `${item} ${Number(index) + 1}`);
}

export type FieldOption = { readonly pointer: string; readonly text: string };

/** What a question may be about, each in words, with the codes it stands for. */
export function fieldOptions(review: ServiceReview): readonly FieldOption[] {
  const codes = new Map<string, string>([
    ...codesOf("procedures", review.procedures),
    ...codesOf("diagnoses", review.diagnoses ?? []),
  ]);
  return askableFields(review).map((pointer) => {
    const code = codes.get(pointer);
    return { pointer, text: code === undefined ? fieldText(pointer) : `${fieldText(pointer)}, ${code}` };
  });
}

function codesOf(name: string, list: readonly { readonly code: string }[]) {
  return list.map(({ code }, index) => [`/${name}/${index}`, code] as const);
}
