import { requirableFields } from "#lib/messages/labels/required-fields";
import { isBlank } from "#lib/platform/visible-length";
import type { ServiceReview } from "./service-review.ts";

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
  if (typeof value === "string") return !isBlank(value);
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
