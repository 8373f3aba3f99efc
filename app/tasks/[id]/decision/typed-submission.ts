import { z } from "zod";
import { deliveries } from "#lib/task/model/delivery";
import { learnedVia } from "#lib/task/model/determination";
import { id, instantOf, optional, reference, someText } from "./typed.ts";

/** What a person records of a manual submission. */
export const sent = z
  .object({
    taskId: id,
    gateId: id,
    delivery: z.enum(deliveries, "must be selected"),
    to: optional,
    reference,
    sentAt: optional,
    zone: id,
  })
  .transform(({ sentAt: local, zone, ...rest }, ctx) => ({
    ...rest,
    sentAt: instantOf(ctx, { path: "sentAt", zone, local }),
  }));

/** What a person was told when they asked the payer about an action in doubt: by whom, how and when. */
export const settled = z
  .object({
    taskId: id,
    gateId: id,
    payerHas: z.enum(["yes", "no"], "must be selected").transform((text) => text === "yes"),
    reference,
    whom: someText,
    inquiredBy: z.enum(learnedVia, "must be selected"),
    inquiredAt: someText,
    reply: optional,
    zone: id,
  })
  .transform(({ whom, inquiredBy, inquiredAt: local, reply, zone, ...rest }, ctx) => {
    const at = instantOf(ctx, { path: "inquiredAt", zone, local });
    return at ? { ...rest, inquiry: { whom, by: inquiredBy, at, reply } } : z.NEVER;
  });
