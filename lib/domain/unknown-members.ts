import { z } from "zod";
import { serviceReviewSchema, type ServiceReview } from "./service-review.ts";

/** JSON pointers of the members we do not know: kept with the revision, shown to the reviewer, never sent. */
export function unknownMembers(review: ServiceReview): readonly string[] {
  return strangers(review, serviceReviewSchema, "");
}

function strangers(value: unknown, schema: unknown, path: string): readonly string[] {
  if (schema instanceof z.ZodOptional) return strangers(value, schema.unwrap(), path);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((item, index) => strangers(item, schema.element, `${path}/${index}`));
  }
  if (!(schema instanceof z.ZodObject) || typeof value !== "object" || value === null) return [];
  const known: Readonly<Record<string, unknown>> = schema.shape;
  return Object.entries(value).flatMap(([name, member]) => {
    const inside = `${path}/${pointerToken(name)}`;
    return Object.hasOwn(known, name) ? strangers(member, known[name], inside) : [inside];
  });
}

/** One reference token of a JSON pointer (RFC 6901). */
export function pointerToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
