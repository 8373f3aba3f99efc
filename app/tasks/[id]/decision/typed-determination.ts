import { z } from "zod";
import { learnedVia } from "#lib/task/model/determination";
import { isNpi } from "#lib/task/model/formats";
import { day, id, instantOf, optional, reference, someText } from "./typed.ts";

const quantity = z
  .string()
  .trim()
  .transform((text) => (text === "" ? undefined : Number(text)))
  .refine((value) => value === undefined || (value > 0 && value <= 99_999), "must be a number from 1 to 99999")
  .optional();

const reasonCodes = optional
  .transform((text) => text?.split(/[\s,;]+/).filter((code) => code !== "") ?? [])
  .refine((codes) => codes.every((code) => /^[A-Za-z0-9]{1,4}$/.test(code)), "must be codes such as 0F")
  .refine((codes) => codes.length <= 5, "must be at most five");

const providers = optional
  .transform((text) => text?.split(/[\s,;]+/).filter((id) => id !== ""))
  .refine((ids = []) => ids.every((id) => isNpi(id) || /^\d{9}$/.test(id)), "must be NPIs, or nine-digit tax IDs")
  .refine((ids = []) => ids.length <= 10, "must be at most ten");

const place = optional.refine((code) => code === undefined || /^\d{2}$/.test(code), "must be two digits, such as 22");

const line = z
  .object({
    action: z.enum(["A1", "A6", "A3", "NA"], "must be answered"),
    code: reference,
    quantity,
    from: day,
    to: day,
    providers,
    place,
    number: reference,
    reasons: reasonCodes,
  })
  .transform(({ action, number, reasons, ...authorized }) => ({ action, authorized, number, reasons }));

/** The fields `line-2-from` of a form as `lines[1].from`; no other field is touched. */
function withLines(form: unknown): unknown {
  const lines: Record<string, string>[] = [];
  for (const [name, value] of Object.entries(form ?? {})) {
    const [, number, field] = /^line-([1-9]\d?)-([a-z]+)$/.exec(name) ?? [];
    if (number && field) (lines[Number(number) - 1] ??= {})[field] = value;
  }
  return { ...(form as object), lines: Array.from(lines, (fields) => fields ?? {}) };
}

const alike = z.object({ outcome: z.enum(["approved", "not-required"], "must be selected") });
const denied = z.object({ outcome: z.literal("denied"), reasons: reasonCodes });
const byLine = z.object({ outcome: z.literal("by-line"), lines: z.array(line) });

const stated = z
  .object({
    taskId: id,
    requestedRevision: z.coerce.number().int(),
    authorizationNumber: reference,
    validFrom: day,
    validTo: day,
    decidedAt: optional,
    zone: id,
    note: optional,
    appealBy: day,
    howToAppeal: optional,
    learnedBy: z.enum(learnedVia, "must be selected"),
    learnedFrom: optional,
    evidence: someText,
  })
  .transform(({ requestedRevision, decidedAt: local, zone, learnedBy, learnedFrom, ...rest }, ctx) => ({
    ...rest,
    revision: requestedRevision,
    learned: { by: learnedBy, from: learnedFrom },
    decidedAt: instantOf(ctx, { path: "decidedAt", zone, local }),
  }));

/** What the form about the payer's decision says. Line by line counts only where that was chosen: else nobody saw those fields. */
export const determination = z.preprocess(
  withLines,
  z.intersection(stated, z.discriminatedUnion("outcome", [byLine, denied, alike], "must be selected")),
);
