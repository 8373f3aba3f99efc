import { z } from "zod";
import { serviceReviewSchema } from "./service-review.ts";

/** A text that every member with a rule refuses. */
const refusedByAll = "\u0000";

const found = new Map<string, string | undefined>();

/** What the value at a JSON pointer must be, in the schema's own words. Undefined if any text is allowed. */
export function ruleAt(pointer: string): string | undefined {
  const place = pointer.replace(/\/\d+(?=\/|$)/g, "/*");
  if (!found.has(place)) found.set(place, readRule(place));
  return found.get(place);
}

function readRule(place: string): string | undefined {
  const schema = schemaAt(serviceReviewSchema, place.split("/").slice(1));
  if (!schema) return undefined;
  const parsed = schema.safeParse(refusedByAll);
  const message = parsed.success ? undefined : parsed.error.issues[0]?.message;
  return message?.startsWith("must be") ? message : undefined;
}

function schemaAt(schema: unknown, [part, ...rest]: readonly string[]): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional) return schemaAt(schema.unwrap(), part === undefined ? [] : [part, ...rest]);
  if (part === undefined) return schema instanceof z.ZodType ? schema : undefined;
  if (part === "*" && schema instanceof z.ZodArray) return schemaAt(schema.element, rest);
  if (!(schema instanceof z.ZodObject) || !Object.hasOwn(schema.shape, part)) return undefined;
  return schemaAt(schema.shape[part], rest);
}
