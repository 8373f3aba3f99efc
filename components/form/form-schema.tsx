import { z } from "zod";
import { formOf, textsOf } from "./act-answer.tsx";

/** Every text that was posted under a name, such as the ticked ones of several boxes; none if the field is missing. */
export const texts = z.array(z.string()).readonly().prefault([]);

/** A whole form, for one whose fields have names that are made. */
export const postedTexts = z.record(z.string(), texts);

/** A field's one text; empty if the field is missing. */
export const text = texts.transform(([first = ""]) => first);

/** A field's text without the space around it; undefined if nothing is left. */
export const givenText = text.transform((typed) => typed.trim() || undefined);

/** A number as typed. An empty field is no number, so that it is refused and not taken for 0. */
export const numeral = text.transform((typed) => (typed.trim() === "" ? Number.NaN : Number(typed)));

/** A box or a hidden field that says yes, and nothing else. */
export const yes = text.transform((typed) => typed === "yes");

/** The texts of a form by the names of its fields, as a schema of them reads it. */
export function textsByField(form: FormData): Readonly<Record<string, readonly string[]>> {
  const names = [...new Set(formOf(form).keys())].filter((name) => !name.startsWith("$ACTION"));
  return Object.fromEntries(names.map((name) => [name, textsOf(form, name)]));
}

/** One problem for each field that a schema refused, by the name of the field. */
export function problemsOf({ issues }: z.ZodError): Readonly<Record<string, string>> {
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.join("."), message]));
}

/** A practice's environment; only the word itself makes it live. */
export const environment = text.transform((typed) => (typed === "live" ? "live" : "test"));
