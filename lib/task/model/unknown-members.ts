import { z } from "zod";
import { serviceReviewSchema, type ServiceReview } from "./service-review.ts";

/**
 * JSON pointers of members that are not in the schema: stored with the revision, shown to the reviewer, never
 * submitted.
 */
export function unknownMembers(review: ServiceReview): readonly string[] {
  const found: string[] = [];
  addStrangers(review, known, "", found);
  return found;
}

/** The known members of an object, or items of a list. Undefined if their content is not examined. */
type KnownShape = { readonly members: ReadonlyMap<string, KnownShape> } | { readonly items: KnownShape } | undefined;

/** Derived from the schema once, because every intake is checked. */
const known = knownOf(serviceReviewSchema);

function knownOf(schema: unknown): KnownShape {
  if (schema instanceof z.ZodOptional) return knownOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return { items: knownOf(schema.element) };
  if (!(schema instanceof z.ZodObject)) return undefined;
  return { members: new Map(Object.entries(schema.shape).map(([name, member]) => [name, knownOf(member)])) };
}

/**
 * Paths are built only for what is found or descended into, because most members are known and have no members of their
 * own.
 */
function addStrangers(value: unknown, of: KnownShape, path: string, found: string[]): void {
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
