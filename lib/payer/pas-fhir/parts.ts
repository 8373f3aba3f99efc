import type { Reference, Resource } from "fhir/r4";
import type { Build } from "#lib/payer/connector";
import { uuidOf } from "#lib/payer/trace";

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
