import { z } from "zod";
import { declineCodes } from "#lib/task/model/decline-code";
import { id, key, optional, words } from "./typed.ts";

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

export const sendBack = z.preprocess(
  withFields,
  seen.and(z.object({ question: words, fields: z.array(z.string()).max(250, "must be fewer") })),
);
