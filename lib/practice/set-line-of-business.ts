import { z } from "zod";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { idText } from "#lib/task/model/service-review";
import { lockPractice } from "#lib/practice/store/admin-practices";
import { updateLineOfBusiness } from "#lib/practice/store/admin-routes";
import { recountPayerClocks } from "#lib/task/store/payer-clocks";
import { administer } from "#lib/access/administer";
import { checked, lineOfBusinessWord } from "#lib/access/checked";
import type { AdminRefusal } from "#lib/access/refusal";

const schema = z.object({ payerId: idText, lineOfBusiness: lineOfBusinessWord });

export type SetLineOfBusiness = {
  readonly practiceId: string;
  readonly payerId: string;
  readonly lineOfBusiness: string;
};

/**
 * Says whose decision-time rules bind a payer on the route in force. Clocks of
 * cases that the payer has follow at once; no gate is superseded, since nothing
 * that leaves is changed. A payer without a route has none.
 */
export async function setLineOfBusiness(
  ctx: Context,
  { practiceId, ...input }: SetLineOfBusiness,
): Promise<Result<undefined, AdminRefusal>> {
  return administer(ctx, { practiceId }, async (tx) => {
    const wanted = checked(schema, input);
    if (!wanted.ok) return wanted;
    const { payerId, lineOfBusiness } = wanted.value;
    if (!(await lockPractice(tx, practiceId))) return refuse({ type: "not-found", what: "practice" });
    const updated = await updateLineOfBusiness(tx, { practiceId, payerId, lineOfBusiness });
    if (!updated) return refuse({ type: "not-found", what: "route" });
    await recountPayerClocks(tx, { practiceId, payerId });
    const detail = { payer: payerId, from: updated.before, to: lineOfBusiness };
    const entries = updated.before === lineOfBusiness ? [] : [{ act: "route.line-of-business-set", detail } as const];
    return ok({ value: undefined, chain: practiceId, entries });
  });
}
