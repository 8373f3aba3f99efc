import type { Bundle, Claim, CodeableConcept, Extension, FhirResource, Resource } from "fhir/r4";
import type { PasVersion } from "#lib/payer/pas-fhir/settings";

/** What a bundle is sent for. */
export type Kind = "first" | "update" | "cancel" | "inquiry";

/** A bundle with what is known of it from outside. */
export type Sample = {
  readonly bundle: Bundle;
  readonly version: PasVersion;
  readonly kind: Kind;
  /** The bundle an update or a cancellation refers to. */
  readonly before?: Bundle | undefined;
};

/** One thing PAS asks of a request, written from the guide and from nothing of the connector's. */
export type Rule = {
  readonly name: string;
  readonly kinds: readonly Kind[];
  readonly versions?: readonly PasVersion[];
  readonly isMet: (sample: Sample) => boolean;
};

export const submissions: readonly Kind[] = ["first", "update", "cancel"];
export const everything: readonly Kind[] = [...submissions, "inquiry"];
export const later: readonly Kind[] = ["update", "cancel"];

export const guide = "http://hl7.org/fhir/us/davinci-pas/StructureDefinition";

export function claimIn(bundle: Bundle): Claim {
  // Every rule but the one that says so takes the first entry for a Claim.
  return (bundle.entry?.[0]?.resource ?? {}) as Claim;
}

export function all<Type extends FhirResource["resourceType"]>(
  { entry = [] }: Bundle,
  type: Type,
): Extract<FhirResource, { resourceType: Type }>[] {
  return entry.flatMap(({ resource }) =>
    resource?.resourceType === type ? [resource as Extract<FhirResource, { resourceType: Type }>] : [],
  );
}

export function at(bundle: Bundle, reference: string | undefined): Resource | undefined {
  return bundle.entry?.find(({ fullUrl }) => fullUrl === reference)?.resource;
}

export function extensionOf(
  of: { extension?: Extension[] | undefined } | undefined,
  name: string,
): Extension | undefined {
  return of?.extension?.find(({ url }) => url === `${guide}/extension-${name}`);
}

export function codeOf(of: CodeableConcept | undefined, system: string): string | undefined {
  return of?.coding?.find((coding) => coding.system === system)?.code;
}

export function areCounted(lines: readonly { sequence: number }[]): boolean {
  const sequences = lines.map(({ sequence }) => sequence);
  return new Set(sequences).size === sequences.length && sequences.every((each) => Number.isInteger(each) && each > 0);
}

export function isDay(text: string | undefined): boolean {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text);
}
