import { z } from "zod";
import { serviceReviewSchema, type ServiceReview } from "./service-review.ts";

/** JSON pointers of the members we do not know: kept with the revision, shown to the reviewer, never sent. */
export function unknownMembers(review: ServiceReview): readonly string[] {
  return strangers(review, known, "");
}

/** The members of an object or the items of a list that we know; undefined where nothing is looked into. */
type Known = { readonly members: ReadonlyMap<string, Known> } | { readonly items: Known } | undefined;

/** Read off the schema once: every intake is looked through. */
const known = knownOf(serviceReviewSchema);

function knownOf(schema: unknown): Known {
  if (schema instanceof z.ZodOptional) return knownOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return { items: knownOf(schema.element) };
  if (!(schema instanceof z.ZodObject)) return undefined;
  return { members: new Map(Object.entries(schema.shape).map(([name, member]) => [name, knownOf(member)])) };
}

function strangers(value: unknown, of: Known, path: string): readonly string[] {
  if (of === undefined || typeof value !== "object" || value === null) return [];
  if ("items" in of) {
    if (!Array.isArray(value)) return [];
    return value.flatMap((item, index) => strangers(item, of.items, `${path}/${index}`));
  }
  return Object.entries(value).flatMap(([name, member]) => {
    const inside = `${path}/${pointerToken(name)}`;
    return of.members.has(name) ? strangers(member, of.members.get(name), inside) : [inside];
  });
}

/** One reference token of a JSON pointer (RFC 6901). */
export function pointerToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
