import { askableFields } from "#lib/gate/model/askable-fields";
import type { ServiceReview } from "#lib/task/model/service-review";

const texts: Readonly<Record<string, string>> = {
  "/procedures": "Services",
  "/diagnoses": "Diagnoses",
  "/renderingProviders": "Servicing provider",
  "/payer/id": "Payer",
  "/subscriber/memberId": "Member ID",
  "/subscriber/lastName": "Subscriber's last name",
  "/subscriber/firstName": "Subscriber's first name",
  "/patient/lastName": "Patient's last name",
  "/patient/firstName": "Patient's first name",
  "/patient/birthDate": "DOB",
  "/patient/genderCode": "Sex",
  "/patient/subscriberRelationshipCode": "Relationship to subscriber",
  "/requestingProvider": "Requesting provider",
  "/serviceLevelCode": "Urgency",
  "/serviceTypeCode": "Service type",
  "/placeOfServiceCode": "Place of service",
  "/fromDate": "First day",
  "/toDate": "Last day",
  "/quantity": "Quantity",
  "/providerNotes": "Provider notes",
};

const items: Readonly<Record<string, string>> = {
  procedures: "Service",
  diagnoses: "Diagnosis",
  renderingProviders: "Servicing provider",
};

/** A member of the service review in words; the pointer itself where there are none for it. */
export function fieldText(pointer: string): string {
  const [, list = "", index] = /^\/([a-zA-Z]+)\/(\d+)$/.exec(pointer) ?? [];
  const item = items[list];
  return texts[pointer] ?? (item === undefined ? pointer : `${item} ${Number(index) + 1}`);
}

/**
 * A member that a request lacks, in the words of the list of fields; of others, in words that follow from the pointer.
 * Of one that is there, what is wrong with it.
 */
export function missingText(pointer: string, review?: ServiceReview): string {
  const text = fieldText(pointer);
  const name =
    text === pointer
      ? pointerText(pointer)
          .replace(/\bnpi\b/, "NPI")
          .replace(/\bid\b/, "ID")
      : text;
  if (!isSent(pointer, review)) return name;
  return isReversed(pointer, review) ? `${name} (before the first day)` : `${name} (not accepted as sent)`;
}

/** What to call these members together: some may be there and wrong. */
export function missingTitle(pointers: readonly string[], review: ServiceReview): string {
  return pointers.some((pointer) => isSent(pointer, review)) ? "Missing or wrong" : "Missing";
}

function isSent(pointer: string, review: ServiceReview | undefined): boolean {
  const value = memberAt(pointer, review);
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === "string" ? value.trim() !== "" : value !== undefined && value !== null;
}

function isReversed(pointer: string, review: ServiceReview | undefined): boolean {
  if (!pointer.endsWith("/toDate")) return false;
  const [from, to] = [memberAt(pointer.replace(/toDate$/, "fromDate"), review), memberAt(pointer, review)];
  return typeof from === "string" && typeof to === "string" && to < from;
}

function memberAt(pointer: string, review: ServiceReview | undefined): unknown {
  let value: unknown = review;
  for (const part of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    // Safe because the object has this member.
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value;
}

const missingNamed = 4;

/** What a request lacks, in a sentence. */
export function missingSentence(pointers: readonly string[], review: ServiceReview): string {
  const named = pointers.slice(0, missingNamed).map((pointer) => missingText(pointer, review));
  const more = pointers.length - named.length;
  return `${missingTitle(pointers, review)} for this payer: ${new Intl.ListFormat("en").format(more > 0 ? [...named, `${more} more`] : named)}.`;
}

/** Any JSON pointer in words that follow from it alone: `/providerNotes/1/message` is "Provider notes 2, message". */
export function pointerText(pointer: string): string {
  const parts = pointer.split("/").slice(1).map(partText);
  const text = parts.join("").slice(2);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function partText(part: string): string {
  if (/^\d+$/.test(part)) return ` ${Number(part) + 1}`;
  return `, ${part.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
}

/** What the agent is asked if a reviewer selects fields and writes nothing; undefined without fields. */
export function fieldsQuestion(pointers: readonly string[]): string | undefined {
  return pointers.length === 0 ? undefined : `Check ${pointers.map(fieldText).join(", ")}.`;
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
