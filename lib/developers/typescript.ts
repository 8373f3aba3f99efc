import { serviceReviewJson, type JsonSchema } from "./schemas.ts";

/** The module of types that `agent/client` brings, made from the schema of a service review. */
export function serviceReviewTypes(): string {
  const type = `export type ServiceReview = ${typeOf(serviceReviewJson, "")};`;
  return `// Made from the JSON Schema of the service review; a test compares the two. Do not edit.\n\n${type}\n`;
}

function typeOf({ type, properties, required = [], items, anyOf, enum: values }: JsonSchema, indent: string): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (anyOf) return anyOf.map((each) => typeOf(each, indent)).join(" | ");
  if (items) return `readonly (${typeOf(items, indent)})[]`;
  if (!properties) return type === "integer" ? "number" : String(type);
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, member]) => {
    const says = member.description === undefined ? "" : `${inner}/** ${member.description}. */\n`;
    return `${says}${inner}readonly ${name}${required.includes(name) ? "" : "?"}: ${typeOf(member, inner)};\n`;
  });
  return `{\n${members.join("")}${indent}}`;
}
