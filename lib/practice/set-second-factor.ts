import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice } from "#lib/practice/shared/practices";
import { updatePractice } from "#lib/practice/store/admin-practices";
import { administerProved } from "#lib/access/administer";
import type { AdminRefusal } from "#lib/access/refusal";

/**
 * Sets whether the practice's reviewers need a second factor. It applies from the next request on: until they have
 * shown one in their session, they see nothing and do nothing.
 */
export async function setSecondFactor(
  ctx: Context,
  { practiceId, required }: { readonly practiceId: string; readonly required: boolean },
): Promise<Result<undefined, AdminRefusal>> {
  const act = async (tx: Parameters<typeof lockPractice>[0]) => {
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    if (practice.reviewersSecondFactor === required) return ok({ value: undefined, chain: practiceId, entries: [] });
    await updatePractice(tx, practiceId, { reviewersSecondFactor: required });
    const entries = [{ act: "practice.second-factor-set", detail: { required } }] as const;
    return ok({ value: undefined, chain: practiceId, entries });
  };
  return administerProved(ctx, { practiceId }, act);
}
