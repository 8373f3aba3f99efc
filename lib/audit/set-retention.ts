import { z } from "zod";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice } from "#lib/practice/store/admin-practices";
import { serviceChain } from "#lib/audit/store/audit";
import { writeRetention } from "#lib/audit/store/audit-state";
import { administerProved } from "#lib/access/administer";
import { checked } from "#lib/access/checked";
import type { AdminRefusal } from "#lib/access/refusal";

const schema = z.object({
  days: z.int("must be whole days").min(365, "must be at least 365").max(36_500, "must be at most 36500").optional(),
});

export type SetRetention = {
  /** Whose record; every chain without a rule of its own where there is none. */
  readonly practiceId?: string | undefined;
  /** For how long contents are kept; undefined, for ever. */
  readonly days?: number | undefined;
};

/**
 * Says for how long the content of entries is kept. The worker empties what is older; an entry's place and hashes stay,
 * so the chain still verifies.
 */
export async function setRetention(
  ctx: Context,
  { practiceId, ...input }: SetRetention,
): Promise<Result<undefined, AdminRefusal>> {
  return administerProved(ctx, practiceId === undefined ? "every-practice" : { practiceId }, async (tx) => {
    const wanted = checked(schema, input);
    if (!wanted.ok) return wanted;
    if (practiceId !== undefined && !(await lockPractice(tx, practiceId)))
      return refuse({ type: "not-found", what: "practice" });
    const { days } = wanted.value;
    const before = await writeRetention(tx, { scope: practiceId ?? "*", days });
    const detail = { scope: practiceId ?? "*", from: before ?? null, to: days ?? null };
    const entries = before === days ? [] : [{ act: "audit.retention-set", detail } as const];
    return ok({ value: undefined, chain: practiceId ?? serviceChain, entries });
  });
}
