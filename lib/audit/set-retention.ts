import { z } from "zod";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice } from "#lib/practice/shared/practices";
import { serviceChain } from "#lib/audit/model/entry";
import { writeRetention } from "#lib/audit/store/audit-state";
import { administerProved } from "#lib/access/administer";
import { validate } from "#lib/access/validate";
import type { AdminRefusal } from "#lib/access/refusal";
import { problems } from "#lib/messages/problems/field";

const schema = z.object({
  days: z.int(problems.whole("days")).min(365, problems.atLeast(365)).max(36_500, problems.atMost(36_500)).optional(),
});

export type SetRetention = {
  /** The practice; without one, every chain that has no rule of its own. */
  readonly practiceId?: string | undefined;
  /** How many days contents are kept; undefined means forever. */
  readonly days?: number | undefined;
};

/**
 * Sets how long the contents of entries are kept. The worker removes older contents. The place and the hashes of an
 * entry stay, so the chain still verifies.
 */
export async function setRetention(
  ctx: Context,
  { practiceId, ...input }: SetRetention,
): Promise<Result<undefined, AdminRefusal>> {
  return administerProved(ctx, practiceId === undefined ? "every-practice" : { practiceId }, async (tx) => {
    const parsed = validate(schema, input);
    if (!parsed.ok) return parsed;
    if (practiceId !== undefined && !(await lockPractice(tx, practiceId)))
      return refuse({ type: "not-found", what: "practice" });
    const { days } = parsed.value;
    const before = await writeRetention(tx, { scope: practiceId ?? "*", days });
    const detail = { scope: practiceId ?? "*", from: before ?? null, to: days ?? null };
    const entries = before === days ? [] : [{ act: "audit.retention-set", detail } as const];
    return ok({ value: undefined, chain: practiceId ?? serviceChain, entries });
  });
}
