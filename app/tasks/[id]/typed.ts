import { z } from "zod";
import { isDate } from "#lib/domain/formats";

/** What a person types into the fields of a decision. */
export const words = z
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
