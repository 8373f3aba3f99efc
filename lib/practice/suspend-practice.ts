import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice, updatePractice } from "#lib/practice/store/admin-practices";
import { administer, administerProved } from "#lib/access/administer";
import type { AdminRefusal } from "#lib/access/refusal";

type Named = { readonly practiceId: string };

/**
 * From the commit on nothing is sent for the practice and no channel reaches
 * it; what the payer answers is still recorded. Suspending it again changes nothing.
 */
export async function suspendPractice(ctx: Context, input: Named): Promise<Result<undefined, AdminRefusal>> {
  return setStatus(ctx, input, { status: "suspended", act: "practice.suspended" });
}

/** Undoes a suspension. */
export async function resumePractice(ctx: Context, input: Named): Promise<Result<undefined, AdminRefusal>> {
  return setStatus(ctx, input, { status: "active", act: "practice.resumed" });
}

type Change =
  | { readonly status: "suspended"; readonly act: "practice.suspended" }
  | { readonly status: "active"; readonly act: "practice.resumed" };

async function setStatus(ctx: Context, { practiceId }: Named, { status, act }: Change) {
  // Suspending waits for nobody.
  const run = status === "active" ? administerProved : administer;
  return run(ctx, { practiceId }, async (tx) => {
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    if (practice.status === status) return ok({ value: undefined, chain: practiceId, entries: [] });
    await updatePractice(tx, practiceId, { status });
    return ok({ value: undefined, chain: practiceId, entries: [{ act, detail: {} }] });
  });
}
