import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice } from "#lib/practice/shared/practices";
import { updatePractice } from "#lib/practice/store/admin-practices";
import { administer, administerProved } from "#lib/access/administer";
import type { AdminRefusal } from "#lib/access/refusal";

type SuspendPractice = { readonly practiceId: string };

/**
 * Suspends a practice. From the commit on, nothing is submitted for it and no channel reaches it; answers of payers are
 * still recorded. Suspending it again changes nothing.
 */
export async function suspendPractice(ctx: Context, input: SuspendPractice): Promise<Result<undefined, AdminRefusal>> {
  return setStatus(ctx, input, { status: "suspended", act: "practice.suspended" });
}

/** Ends a suspension. */
export async function resumePractice(ctx: Context, input: SuspendPractice): Promise<Result<undefined, AdminRefusal>> {
  return setStatus(ctx, input, { status: "active", act: "practice.resumed" });
}

type Change =
  | { readonly status: "suspended"; readonly act: "practice.suspended" }
  | { readonly status: "active"; readonly act: "practice.resumed" };

async function setStatus(ctx: Context, { practiceId }: SuspendPractice, { status, act }: Change) {
  // Suspending must be possible at once, so it needs no new proof.
  const run = status === "active" ? administerProved : administer;
  return run(ctx, { practiceId }, async (tx) => {
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    if (practice.status === status) return ok({ value: undefined, chain: practiceId, entries: [] });
    await updatePractice(tx, practiceId, { status });
    return ok({ value: undefined, chain: practiceId, entries: [{ act, detail: {} }] });
  });
}
