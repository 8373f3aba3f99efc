import { z } from "zod";
import { problems } from "#lib/messages/problems/field";
import { formOf } from "./act-answer.tsx";

const entries = z.array(z.union([z.string(), z.instanceof(File)])).prefault([]);

/**
 * Every text that was posted under a name, such as the checked boxes of a group; none if the field is missing. A NUL is
 * refused: Postgres stores none in text.
 */
export const texts = entries
  .transform((list): readonly string[] => list.filter((entry) => typeof entry === "string"))
  .refine((list) => !list.some((text) => text.includes("\0")), { error: problems.plainText, abort: true });

/** A whole form, for one whose fields have names that are made. */
export const postedTexts = z.record(z.string(), texts);

/** A field's one text; empty if the field is missing. */
export const text = texts.transform(([first = ""]) => first);

/** A field's text without the space around it; undefined if nothing is left. */
export const givenText = text.transform((typed) => typed.trim() || undefined);

/** The items of a field's text, such as its lines, without the space around them; none of an empty one. */
export function itemsOf(separator: RegExp) {
  return text.transform((typed) =>
    typed
      .split(separator)
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  );
}

/** A chosen file; undefined if none was chosen, or an empty one. */
export const givenFile = entries.transform((list) =>
  list.filter((entry) => entry instanceof File).find(({ size }) => size > 0),
);

/** A number as typed. An empty field is no number, so that it is refused and not taken for 0. */
export const numeral = text.transform((typed) => (typed.trim() === "" ? Number.NaN : Number(typed)));

/** A box or a hidden field that says yes, and nothing else. */
export const yes = text.transform((typed) => typed === "yes");

/** What a device answered to a request for a passkey, which a script posts as it is; the verb verifies it. */
export const credential = z.record(z.string(), z.unknown());

/** What a form holds by the names of its fields, texts and files, as a schema of them reads it. */
export function entriesByField(form: FormData): Readonly<Record<string, readonly FormDataEntryValue[]>> {
  const given = formOf(form);
  const names = [...new Set(given.keys())].filter((name) => !name.startsWith("$ACTION"));
  return Object.fromEntries(names.map((name) => [name, given.getAll(name)]));
}

/** One problem for each field that a schema refused, by the name of the field. */
export function problemsOf({ issues }: z.ZodError): Readonly<Record<string, string>> {
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.join("."), message]));
}

/** A practice's environment; only the word itself makes it live. */
export const environment = text.transform((typed) => (typed === "live" ? "live" : "test"));
