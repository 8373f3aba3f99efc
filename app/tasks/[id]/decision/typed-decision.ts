import { z } from "zod";
import { declineCodes } from "#lib/task/model/decline-code";
import { fieldsQuestion } from "#lib/messages/reviewer/fields";
import { id, key, optional } from "./typed.ts";

/** The gate as the page showed it: what a decision may cover. */
export const seen = z
  .object({ taskId: id, key, gateId: id, revision: z.coerce.number().int(), digest: id })
  .transform(({ taskId, key: once, ...rest }) => ({ taskId, key: once, seen: rest }));

/** The warnings the page showed, by their keys. */
const keys = z
  .string()
  .max(20_000)
  .transform((text) => text.split(" "))
  .optional();

export const release = seen.and(z.object({ why: optional, shown: keys }));

const chosen = z
  .string()
  .transform((text) => text || undefined)
  .pipe(z.enum(declineCodes, "must be one of those shown").optional())
  .optional();

export const decline = seen.and(z.object({ code: chosen, reason: optional }));

/** Fields `field:/patient/birthDate` of a form as `fields`; a ticked box is sent, whatever its value. */
function withFields(form: unknown): unknown {
  const names = Object.keys(form ?? {}).filter((name) => name.startsWith("field:"));
  return { ...(form as object), fields: names.map((name) => name.slice("field:".length)) };
}

const wanted = seen.and(z.object({ question: optional, fields: z.array(z.string()).max(250, "must be fewer") }));

/** A question without words asks to check the selected fields. */
export const sendBack = z.preprocess(withFields, wanted).transform(({ question, ...rest }, ctx) => {
  const text = question ?? fieldsQuestion(rest.fields);
  if (text !== undefined) return { ...rest, question: text };
  ctx.addIssue({ code: "custom", path: ["question"], message: "must be filled in, or select fields" });
  return z.NEVER;
});

/** Fields `value:/fromDate` of a form as `values`, by their JSON pointers. */
function withValues(form: unknown): unknown {
  const given = Object.entries(form ?? {}).filter(([name]) => name.startsWith("value:"));
  const values = Object.fromEntries(given.map(([name, value]) => [name.slice("value:".length), value]));
  return { ...(form as object), values };
}

const values = z.object({ values: z.record(z.string(), z.string()) }).superRefine((form, ctx) => {
  for (const [pointer, input] of Object.entries(form.values))
    if (input.length > 200)
      ctx.addIssue({ code: "custom", path: [`value:${pointer}`], message: "must be at most 200 characters", input });
});

export const edited = z.preprocess(withValues, seen.and(values));
