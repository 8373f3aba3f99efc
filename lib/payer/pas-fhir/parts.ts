import type { CodeableConcept, Extension, Period, Reference, Resource, Address } from "fhir/r4";
import type { Build } from "#lib/payer/connector";
import { uuidOf } from "#lib/payer/trace";
import { nonBlank } from "#lib/payer/wire-text";
import type { Provider } from "#lib/task/model/service-review";

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

/**
 * US Core 7 demands contact information of every role (invariant pd-1). Where the request has none, FHIR's own extension
 * says that it is unknown.
 */
export const unknownPhone = {
  system: "phone" as const,
  _value: {
    extension: [{ url: "http://hl7.org/fhir/StructureDefinition/data-absent-reason", valueCode: "unknown" as const }],
  },
};

/** Phone and fax, of which either may be left out; undefined where neither is known. */
export function telecomsOf({
  phone,
  fax,
}: Partial<Pick<Provider, "phone" | "fax">>): { system: "phone" | "fax"; value: string }[] | undefined {
  const known = [
    { system: "phone" as const, value: nonBlank(phone) },
    { system: "fax" as const, value: nonBlank(fax) },
  ];
  const list = known.flatMap(({ system, value }) => (value === undefined ? [] : [{ system, value }]));
  return list.length > 0 ? list : undefined;
}

type PostalAddress = Pick<Provider, "addressLine1" | "addressLine2" | "city" | "stateCode" | "zipCode">;

/** An address in the United States; undefined where nothing of it is known. */
export function addressOf({
  addressLine1,
  addressLine2,
  city,
  stateCode,
  zipCode,
}: PostalAddress): Address | undefined {
  const line = [addressLine1, addressLine2].flatMap((each) => nonBlank(each) ?? []);
  const known = [...line, nonBlank(city), stateCode, zipCode].some((each) => each !== undefined);
  if (!known) return undefined;
  return defined<Address>({
    line: line.length > 0 ? line : undefined,
    city: nonBlank(city),
    state: stateCode,
    postalCode: zipCode,
    country: "US",
  });
}

/** The same as the list that most resources hold. */
export function addressesOf(of: PostalAddress): Address[] | undefined {
  const address = addressOf(of);
  return address && [address];
}
