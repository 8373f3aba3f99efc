import { z } from "zod";
import { peerToPeerOutcomes, peerToPeerStatuses } from "#lib/task/model/recourse";
import { day, id, instantOf, optional, someText } from "./typed.ts";

/** The case and its determination, as the page showed them. */
const shown = { taskId: id, determinationId: id.optional() };

/** Until when and how the payer says that its determination can be contested. */
export const appealTerms = z.object({ ...shown, by: day, how: optional, evidence: someText });

const chosenOutcome = z
  .string()
  .transform((text) => text || undefined)
  .pipe(z.enum(peerToPeerOutcomes, "must be one of those shown").optional())
  .optional();

/** What a person says of a peer-to-peer review. */
export const peerToPeer = z
  .object({
    ...shown,
    status: z.enum(peerToPeerStatuses, "must be selected"),
    at: optional,
    outcome: chosenOutcome,
    clinician: optional,
    counterpart: optional,
    note: optional,
    zone: id,
  })
  .transform(({ at: local, zone, ...rest }, ctx) => ({ ...rest, at: instantOf(ctx, { path: "at", zone, local }) }));
