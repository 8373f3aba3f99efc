import { kindSchema } from "./resources.ts";

/*
 * FHIR R4 "Modifier Extensions" and Resource.implicitRules: who does not know them must not act on what they stand on. PAS
 * has none in an answer, so any that is there counts, whatever it says.
 */

/** Whether a resource, or a bundle or Parameters around it, is only understood by rules of its own. */
export function hasRules(resource: unknown): boolean {
  const { implicitRules, _implicitRules: extended } = membersOf(resource);
  return implicitRules !== undefined || extended !== undefined;
}

/** Whether a modifier extension stands on this object itself. */
export function isModifiedItself(value: unknown): boolean {
  const { modifierExtension } = membersOf(value);
  return modifierExtension !== undefined && !(Array.isArray(modifierExtension) && modifierExtension.length === 0);
}

/**
 * Whether a modifier extension stands on a resource of an answer: of a ClaimResponse and an OperationOutcome on any part, of
 * another on the whole. A Claim is our own or an earlier request, whose parts have modifiers that PAS knows, and decides nothing.
 */
export function isModified(resource: unknown): boolean {
  const kind = kindSchema.safeParse(resource).data?.resourceType;
  if (kind === "Claim") return false;
  if (kind !== "ClaimResponse" && kind !== "OperationOutcome") return isModifiedItself(resource);
  const { contained: _, ...parts } = membersOf(resource);
  return isModifiedWithin(parts);
}

/** Strict JSON is nested no deeper than the stack allows. */
function isModifiedWithin(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isModifiedWithin);
  return isModifiedItself(value) || Object.values(membersOf(value)).some(isModifiedWithin);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  // Safe because any object that is no list has members by name.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
