import type { CodeableConcept, Extension, Period } from "fhir/r4";
import { nonBlank } from "#lib/payer/non-blank";

/** A concept of one code. */
export function concept(system: string, code: string): CodeableConcept {
  return { coding: [{ system, code }] };
}

/** An extension whose value is a concept of one code. */
export function coded(url: string, system: string, code: string): Extension {
  return { url, valueCodeableConcept: concept(system, code) };
}

/** A concept in the sender's own words as well, where there are some. */
export function described(codeable: CodeableConcept, text: string | undefined): CodeableConcept {
  const words = nonBlank(text);
  return words === undefined ? codeable : { ...codeable, text: words };
}

/** One day, or a period where there is an end. */
export function timing<Name extends "timing" | "serviced">(name: Name, start: string, end: string | undefined) {
  // Safe because each name yields exactly the two members FHIR has for it.
  return (end === undefined ? { [`${name}Date`]: start } : { [`${name}Period`]: { start, end } }) as {
    [Key in `${Name}Date`]?: string;
  } & { [Key in `${Name}Period`]?: Period };
}
