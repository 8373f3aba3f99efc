import { z } from "zod";
import { dateForm, fieldText } from "#lib/messages/agent/fields";
import { serviceReviewSchema } from "#lib/task/model/service-review";
import { skillSchemas } from "./send-params.ts";

/** A JSON Schema (2020-12), as far as it is read here. */
export type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly (string | number)[];
  readonly const?: string | boolean;
  readonly pattern?: string;
  readonly format?: string;
  readonly description?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly examples?: readonly unknown[];
};

/** The JSON Schema of what a caller sends. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  // Safe because zod writes JSON Schema 2020-12.
  return z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }) as JsonSchema;
}

/** The service review, each member with what it says and an example. */
export const serviceReviewJson: JsonSchema = described(jsonSchemaOf(serviceReviewSchema), "", reviewText);

/** The `data` part of each skill, as the agent card and the developer pages tell it. */
export const skillJson: Readonly<Record<keyof typeof skillSchemas, JsonSchema>> = {
  prior_auth_intake: withReview(jsonSchemaOf(skillSchemas.prior_auth_intake)),
  prior_auth_void: jsonSchemaOf(skillSchemas.prior_auth_void),
};

function withReview(intake: JsonSchema): JsonSchema {
  const { $schema: _, ...review } = serviceReviewJson as JsonSchema & { $schema?: string };
  return { ...intake, properties: { ...intake.properties, serviceReview: review } };
}

type TextOf = (pointer: string) => Partial<JsonSchema> | undefined;

function reviewText(pointer: string): Partial<JsonSchema> | undefined {
  const text = fieldText(pointer);
  if (!text) return undefined;
  const date = text.form === dateForm ? { format: "date" } : {};
  return { description: text.says, examples: [text.example], ...date };
}

/** A schema with what each of its members says, by the pointers of the members. */
export function described(schema: JsonSchema, pointer: string, textOf: TextOf): JsonSchema {
  const text = textOf(pointer);
  if (text) return { ...schema, ...text };
  const { properties, items, anyOf } = schema;
  if (properties) {
    const members = Object.entries(properties).map(
      ([name, member]) => [name, described(member, `${pointer}/${name}`, textOf)] as const,
    );
    return { ...schema, properties: Object.fromEntries(members) };
  }
  if (anyOf) return { ...schema, anyOf: anyOf.map((each) => described(each, pointer, textOf)) };
  return items ? { ...schema, items: described(items, `${pointer}[]`, textOf) } : schema;
}
