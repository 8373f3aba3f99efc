import type { z } from "zod";
import { pointerToken } from "#lib/task/model/unknown-members";
import { ok, refuse, type Result } from "#lib/platform/result";
import type { Issue } from "#lib/task/refusal";

/** Parses a value by its schema. Issues have JSON pointers below `at` and never repeat the value. */
export function parseAt<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  at = "",
): Result<z.output<Schema>, readonly Issue[]> {
  const parsed = schema.safeParse(value, { error: problemOf });
  if (parsed.success) return ok(parsed.data);
  const issues = parsed.error.issues.map(({ code, path, message }) => ({ code, path: at + pointerTo(path), message }));
  const ofWrongType = new Set(issues.filter(({ code }) => code === "invalid_type").map(({ path }) => path));
  // Of a value of a wrong type, nothing else is worth saying: an empty list is no empty text.
  const typed = issues.filter(({ code, path }) => code === "invalid_type" || !ofWrongType.has(path));
  return refuse(typed.map(({ path, message }) => ({ path, problem: message })));
}

function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((name) => `/${pointerToken(String(name))}`).join("");
}

/** The text for an issue whose schema defines none. */
function problemOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${nouns[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    case "invalid_union":
      return "is of no kind that is accepted here";
    case "too_small":
      return issue.origin === "array" ? `must have at least ${issue.minimum}` : `must be at least ${issue.minimum}`;
    case "too_big":
      return issue.origin === "array" ? `must have at most ${issue.maximum}` : `must be at most ${issue.maximum}`;
    case "custom":
    case "invalid_element":
    case "invalid_format":
    case "invalid_key":
    case "not_multiple_of":
    case "unrecognized_keys":
      return "is not valid";
  }
}

const nouns: Readonly<Record<string, string>> = {
  object: "an object",
  record: "an object",
  array: "an array",
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};
