import { z } from "zod";
import { serviceReviewSchema, type ServiceReview } from "./service-review.ts";

/** JSON pointers of the members we do not know: kept with the revision, shown to the reviewer, never sent. */
export function unknownMembers(review: ServiceReview): readonly string[] {
  const found: string[] = [];
  addStrangers(review, known, "", found);
  return found;
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

/** Paths are written only of what is gone into or found: most members are known and hold no others. */
function addStrangers(value: unknown, of: Known, path: string, found: string[]): void {
  if (of === undefined || typeof value !== "object" || value === null) return;
  if ("items" in of) {
    if (!Array.isArray(value)) return;
    for (const [index, item] of value.entries()) addStrangers(item, of.items, `${path}/${index}`, found);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const inside = of.members.get(name);
    if (inside !== undefined && typeof member === "object") {
      addStrangers(member, inside, `${path}/${pointerToken(name)}`, found);
    } else if (inside === undefined && !of.members.has(name)) {
      found.push(`${path}/${pointerToken(name)}`);
    }
  }
}

/** One reference token of a JSON pointer (RFC 6901). */
export function pointerToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
