import { z } from "zod";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { idText } from "#lib/task/model/service-review";
import { lockPractice } from "#lib/practice/shared/practices";
import { updateLineOfBusiness } from "#lib/practice/store/admin-routes";
import { recountPayerClocks } from "#lib/task/shared/payer-clocks";
import { administer } from "#lib/access/administer";
import { validate, lineOfBusinessWord } from "#lib/access/validate";
import type { AdminRefusal } from "#lib/access/refusal";

const schema = z.object({ payerId: idText, lineOfBusiness: lineOfBusinessWord });

export type SetLineOfBusiness = {
  readonly practiceId: string;
  readonly payerId: string;
  readonly lineOfBusiness: string;
};

/**
 * Sets the line of business of an active payer connection, which decides the payer's legal time to decide. The
 * deadlines of cases at the payer follow at once. No gate is superseded, because nothing that is submitted changes.
 * Refuses a payer without a connection.
 */
export async function setLineOfBusiness(
  ctx: Context,
  { practiceId, ...input }: SetLineOfBusiness,
): Promise<Result<undefined, AdminRefusal>> {
  return administer(ctx, { practiceId }, async (tx) => {
    const wanted = validate(schema, input);
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
