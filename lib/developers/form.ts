import type { JsonSchema } from "#lib/a2a/params/skill-json";

/** The form of a value, in words. */
export function formOf(schema: JsonSchema): string {
  const {
    type,
    enum: values,
    pattern,
    maxLength,
    anyOf,
    items,
    minimum,
    maximum,
    exclusiveMinimum,
    const: only,
  } = schema;
  if (only !== undefined) return `\`${only}\``;
  if (values) return values.map((value) => `\`${value}\``).join(", ");
  if (anyOf) return anyOf.map(formOf).join(" or ");
  if (items) return `list of: ${formOf(items)}`;
  if (pattern !== undefined && !pattern.includes("\\u")) return `\`${pattern}\``;
  if (type === "number" || type === "integer") {
    const least = exclusiveMinimum === undefined ? minimum : `more than ${exclusiveMinimum}`;
    return [
      type,
      least,
      maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? undefined : `at most ${maximum}`,
    ]
      .filter(Boolean)
      .join(", ");
  }
  return maxLength === undefined ? String(type) : `text, at most ${maxLength} characters`;
}
