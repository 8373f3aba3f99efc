import { z } from "zod";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice, updatePractice } from "#lib/practice/store/admin-practices";
import { administer } from "#lib/access/administer";
import { validate } from "#lib/access/validate";
import type { AdminRefusal } from "#lib/access/refusal";

export const hours = z
  .number("must be a number")
  .int("must be whole hours")
  .min(1, "must be 1 to 720 hours")
  .max(720, "must be 1 to 720 hours");

const schema = z
  .object({ urgentTargetH: hours, standardTargetH: hours })
  .refine(({ urgentTargetH, standardTargetH }) => urgentTargetH <= standardTargetH, {
    path: ["urgentTargetH"],
    message: "must be no longer than the standard one",
  });

type Targets = z.input<typeof schema>;

/**
 * Sets the practice's own targets: the hours in which a reviewer should act on an urgent case and on any other. New
 * cases take them; waiting cases keep theirs.
 */
export async function setTargets(
  ctx: Context,
  { practiceId, ...input }: Targets & { readonly practiceId: string },
): Promise<Result<undefined, AdminRefusal>> {
  return administer(ctx, { practiceId }, async (tx) => {
    const wanted = validate(schema, input);
    if (!wanted.ok) return wanted;
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    const { urgentTargetH, standardTargetH } = practice;
    const from = { urgentTargetH, standardTargetH };
    const to = wanted.value;
    if (from.urgentTargetH === to.urgentTargetH && from.standardTargetH === to.standardTargetH)
      return ok({ value: undefined, chain: practiceId, entries: [] });
    await updatePractice(tx, practiceId, to);
    const entries = [{ act: "practice.targets-set", detail: { from, to } }] as const;
    return ok({ value: undefined, chain: practiceId, entries });
  });
}
