import type { CodeableConcept, Extension, Period, Reference, Resource } from "fhir/r4";
import type { Build } from "#lib/payer/connector";
import { uuidOf } from "#lib/payer/trace";
import { nonBlank } from "#lib/payer/non-blank";

/** A bundle entry whose fullUrl derives from the task and what identifies it there. */
export type Entry<Kind extends Resource = Resource> = { readonly fullUrl: string; readonly resource: Kind };

/** A resource of a bundle, as it is referred to, with the entries it comes in. */
export type Part = { readonly reference: Reference; readonly entries: readonly Entry[] };

export type Names = (part: string) => string;

/** The fullUrl of everybody and everything a task's requests speak of: the same in all of them. */
export function namesOf({ taskId }: Pick<Build, "taskId">): Names {
  return (name) => `urn:uuid:${uuidOf(`${taskId}/${name}`)}`;
}

/** One resource under its address. */
export function part(fullUrl: string, resource: Resource): Part {
  return { reference: { reference: fullUrl }, entries: [{ fullUrl, resource }] };
}

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
  const display = nonBlank(text);
  return display === undefined ? codeable : { ...codeable, text: display };
}

/** One day, or a period where there is an end. */
export function timing<Name extends "timing" | "serviced">(name: Name, start: string, end: string | undefined) {
  // Safe because each name yields exactly the two members FHIR has for it.
  return (end === undefined ? { [`${name}Date`]: start } : { [`${name}Period`]: { start, end } }) as {
    [Key in `${Name}Date`]?: string;
  } & { [Key in `${Name}Period`]?: Period };
}

/** The same object without its undefined members, which FHIR's JSON has no place for. */
export function defined<Kind extends object>(members: { [Key in keyof Kind]: Kind[Key] | undefined }): Kind {
  // Safe because only members that the type lets be absent may be given as undefined.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Kind;
}
