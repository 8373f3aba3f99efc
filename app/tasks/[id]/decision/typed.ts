import { z } from "zod";
import { isDate } from "#lib/task/model/formats";
import { instantIn } from "#lib/platform/zoned-time";

/** What a person types into the fields of a decision. */
export const someText = z
  .string("must be filled in")
  .trim()
  .min(1, "must be filled in")
  .max(4000, "must be at most 4000 characters");

export const optional = z
  .string()
  .trim()
  .max(4000, "must be at most 4000 characters")
  .transform((text) => text || undefined)
  .optional();

export const reference = z
  .string()
  .trim()
  .max(64, "must be at most 64 characters")
  .transform((text) => text || undefined)
  .optional();

export const day = optional.refine((text) => text === undefined || isDate(text), "must be a day of the calendar");
export const id = z.string("is missing");

/** Made with the form, so that what it decides is decided once however often it arrives. */
export const key = z.uuid("is missing");

type Local = { readonly path: string; readonly zone: string; readonly local: string | undefined };

/** The instant somebody typed as the date and time of their clocks; undefined for an empty field, and a problem for what is none. */
export function instantOf(ctx: z.RefinementCtx, { path, zone, local }: Local): Date | undefined {
  const at = local === undefined ? undefined : instantIn(zone, local);
  if (local !== undefined && !at) {
    ctx.addIssue({ code: "custom", path: [path], message: "must be a date and time", input: local });
  }
  return at;
}
