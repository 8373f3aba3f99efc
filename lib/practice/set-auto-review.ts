import type { Context } from "#lib/access/context";
import { administerProved } from "#lib/access/administer";
import type { AdminRefusal } from "#lib/access/refusal";
import { sandboxPayers } from "#lib/platform/env";
import { ok, refuse, type Result } from "#lib/platform/result";
import { hasLiveCases } from "#lib/gate/shared/auto-review";
import { lockPractice, type PracticeRecord } from "#lib/practice/shared/practices";
import { updatePractice } from "#lib/practice/store/admin-practices";
import { practiceProblems } from "#lib/messages/problems/admin";

/**
 * Sets whether the requests of a practice of test data are released without a person. It concerns only requests to a
 * sandbox payer on this machine; all others wait for a person as before. Refused for a live practice, for one with
 * live cases, and in a deployment without a sandbox payer.
 */
export async function setAutoReview(
  ctx: Context,
  { practiceId, on }: { readonly practiceId: string; readonly on: boolean },
): Promise<Result<undefined, AdminRefusal>> {
  return administerProved(ctx, { practiceId }, async (tx) => {
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    const problem = on ? problemOf(practice, await hasLiveCases(tx, practiceId)) : undefined;
    if (problem !== undefined) return refuse({ type: "invalid", issues: [{ field: "autoReview", problem }] });
    if (practice.autoReview === on) return ok({ value: undefined, chain: practiceId, entries: [] });
    await updatePractice(tx, practiceId, { autoReview: on });
    const entries = [{ act: "practice.auto-review-set", detail: { on } }] as const;
    return ok({ value: undefined, chain: practiceId, entries });
  });
}

function problemOf({ environment }: PracticeRecord, hasLive: boolean): string | undefined {
  if (environment !== "test") return practiceProblems.testPracticesOnly;
  if (hasLive) return practiceProblems.hasLiveCases;
  if (sandboxPayers().length === 0) return practiceProblems.noSandboxPayer;
  return undefined;
}
