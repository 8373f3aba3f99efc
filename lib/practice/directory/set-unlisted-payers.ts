import { z } from "zod";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { administer } from "#lib/access/administer";
import { validate } from "#lib/access/validate";
import type { AdminRefusal } from "#lib/access/refusal";
import { lockPractice } from "#lib/practice/shared/practices";
import { updatePractice } from "#lib/practice/store/admin-practices";
import { unlistedPolicies } from "#lib/practice/model/listed-payer";
import { problems } from "#lib/messages/problems/field";

const schema = z.enum(unlistedPolicies, problems.eitherOf(unlistedPolicies));

/**
 * Sets what becomes of a request to a payer that the practice's directory does not list and that has no payer connection.
 * As long as the directory lists nobody, such requests are taken for manual submission.
 */
export async function setUnlistedPayers(
  ctx: Context,
  { practiceId, unlistedPayers: given }: { readonly practiceId: string; readonly unlistedPayers: string },
): Promise<Result<undefined, AdminRefusal>> {
  return administer(ctx, { practiceId }, async (tx) => {
    const wanted = validate(z.object({ unlistedPayers: schema }), { unlistedPayers: given });
    if (!wanted.ok) return wanted;
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    const { unlistedPayers } = wanted.value;
    if (practice.unlistedPayers === unlistedPayers) return ok({ value: undefined, chain: practiceId, entries: [] });
    await updatePractice(tx, practiceId, { unlistedPayers });
    const detail = { from: practice.unlistedPayers, to: unlistedPayers };
    const entries = [{ act: "practice.unlisted-payers-set", detail }] as const;
    return ok({ value: undefined, chain: practiceId, entries });
  });
}
