import { serviceReviewJson, type JsonSchema } from "#lib/a2a/params/skill-json";
import { taskJson } from "./schemas.ts";

/** The module of types of a service review that `agent/client` brings, made from its schema. */
export function serviceReviewTypes(): string {
  return moduleOf("ServiceReview", serviceReviewJson, "the service review");
}

/** The module of types of a task that `agent/client` brings, made from its schema. */
export function taskTypes(): string {
  return moduleOf("Task", taskJson, "a task");
}

function moduleOf(name: string, schema: JsonSchema, what: string): string {
  const type = `export type ${name} = ${typeOf(schema, "")};`;
  return `// Made from the JSON Schema of ${what}; a test compares the two. Do not edit.\n\n${type}\n`;
}

function typeOf(
  { type, properties, required = [], items, anyOf, enum: values, const: only }: JsonSchema,
  indent: string,
): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (only !== undefined) return JSON.stringify(only);
  if (anyOf) return anyOf.map((each) => typeOf(each, indent)).join(" | ");
  if (items) return `readonly (${typeOf(items, indent)})[]`;
  if (type === "object" && !properties) return "Readonly<Record<string, unknown>>";
  if (!properties) return type === "integer" ? "number" : String(type ?? "unknown");
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, member]) => {
    const says = sayOf(member);
    const comment = says === undefined ? "" : `${inner}/** ${says}. */\n`;
    return `${comment}${inner}readonly ${name}${required.includes(name) ? "" : "?"}: ${typeOf(member, inner)};\n`;
  });
  return `{\n${members.join("")}${indent}}`;
}

/** What a member says; a list says what each of it does. */
function sayOf({ description, items }: JsonSchema): string | undefined {
  return description ?? items?.description;
}
