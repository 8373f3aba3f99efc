import { z } from "zod";
import { learnedVia } from "#lib/task/model/determination";
import { isNpi } from "#lib/task/model/formats";
import type { RecordedLine } from "#lib/submission/recorded-lines";
import { day, id, instantOf, optional, reference, someText } from "./typed.ts";

const quantityProblem = "must be a number up to 99999, with at most three decimals";

const quantity = z
  .string()
  .trim()
  .refine((text) => /^(?:\d{1,5}(?:\.\d{1,3})?)?$/.test(text), quantityProblem)
  .transform((text) => (text === "" ? undefined : Number(text)))
  .refine((value) => value === undefined || (value > 0 && value <= 99_999), quantityProblem)
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

const terms = { code: reference, quantity, from: day, to: day, providers, place };

/** Each answer shows fields of its own. The form also sends hidden fields that another answer had shown; they are not read. */
const line = z
  .discriminatedUnion(
    "action",
    [
      z.object({ action: z.literal("A1"), number: reference }),
      z.object({ action: z.literal("A6"), ...terms, number: reference, reasons: reasonCodes }),
      z.object({ action: z.literal("A3"), reasons: reasonCodes }),
      z.object({ action: z.literal("NA") }),
    ],
    "must be answered",
  )
  .transform((answer): RecordedLine => {
    if (answer.action !== "A6") return answer;
    const { action, number, reasons, ...authorized } = answer;
    return { action, authorized, number, reasons };
  });

/** The fields `line-2-from` of a form as `lines[1].from`; no other field is touched. */
function withLines(form: unknown): unknown {
  const lines: Record<string, string>[] = [];
  for (const [name, value] of Object.entries(form ?? {})) {
    const [, number, field] = /^line-([1-9]\d?)-([a-z]+)$/.exec(name) ?? [];
    if (number && field) (lines[Number(number) - 1] ??= {})[field] = value;
  }
  return { ...(form as object), lines: Array.from(lines, (fields) => fields ?? {}) };
}

const appeal = { appealBy: day, howToAppeal: optional };

const authorization = { authorizationNumber: reference, validFrom: day, validTo: day };

const approved = z.object({ outcome: z.literal("approved"), ...authorization });
const notRequired = z.object({ outcome: z.literal("not-required") });
const denied = z.object({ outcome: z.literal("denied"), reasons: reasonCodes, ...appeal });
const byLine = z.object({ outcome: z.literal("by-line"), lines: z.array(line), ...authorization, ...appeal });

const stated = z
  .object({
    taskId: id,
    requestedRevision: z.coerce.number().int(),
    decidedAt: optional,
    determinationId: id.optional(),
    replaces: z.literal("on").optional(),
    zone: id,
    note: optional,
    learnedBy: z.enum(learnedVia, "must be selected"),
    learnedFrom: optional,
    evidence: someText,
  })
  .transform(({ requestedRevision, decidedAt: local, zone, learnedBy, learnedFrom, ...others }, ctx) => {
    const { determinationId, replaces, ...rest } = others;
    return {
      ...rest,
      replaces: replaces && determinationId,
      revision: requestedRevision,
      learned: { by: learnedBy, from: learnedFrom },
      decidedAt: instantOf(ctx, { path: "decidedAt", zone, local }),
    };
  });

/** Reads the form about the payer's decision. Fields that the chosen outcome hides are not read. */
export const determination = z.preprocess(
  withLines,
  z.intersection(stated, z.discriminatedUnion("outcome", [byLine, denied, approved, notRequired], "must be selected")),
);
