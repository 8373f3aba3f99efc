import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { refuse, type Result } from "#lib/platform/result";
import { hasOpened } from "#lib/queue/store/chosen-cases";
import { applyToEach, type BulkItem, type BulkOutcome, type CountProblem } from "./bulk.ts";
import { reviewedBy } from "#lib/task/desk-refusal";
import type { Refusal } from "#lib/task/refusal";
import type { DecisionResult } from "#lib/gate/decide-once";
import { releaseGate } from "#lib/gate/release-gate";
import { reviewTask } from "#lib/task/review-task";

/** Why a case can only be released on its own page. */
export type SingleOnlyReason =
  /** This reviewer has not opened the gate as it is now. */
  | { readonly type: "not-opened" }
  /** A warning requires an override reason. */
  | { readonly type: "has-warnings" }
  | { readonly type: "needs-more-people"; readonly needed: number };

type ReleaseOutcome = BulkOutcome<DecisionResult, Refusal | SingleOnlyReason>;

/**
 * Releases each of these gates if this reviewer opened the case at exactly this digest, no warning requires an override
 * reason, and one release is enough. A warning that the practice only notes requires no reason, as on the page of the case.
 * Each gate passes all the checks of a single release again.
 */
export async function bulkRelease(
  ctx: Context<PersonActor>,
  { items }: { readonly items: readonly BulkItem[] },
): Promise<Result<readonly ReleaseOutcome[], CountProblem>> {
  return applyToEach<BulkItem, DecisionResult, Refusal | SingleOnlyReason>(items, async (item) => {
    const { alone } = await previewRelease(ctx, item);
    // Without an override reason, so that a warning that came up since is refused.
    return alone ? refuse(alone) : releaseGate(ctx, item);
  });
}

/** What the page of the case shows about its release: whether it is possible, and whether only there. */
export async function previewRelease(
  ctx: Context<PersonActor>,
  { taskId, seen }: BulkItem,
): Promise<{ readonly alone?: SingleOnlyReason | undefined; readonly releasable: boolean }> {
  const { actor, store } = ctx;
  const found = await reviewTask(ctx, { taskId });
  if (!found.ok) return { releasable: false };
  const { gate, voting, can, checks } = found.value;
  // The release itself refuses a gate that is no longer open.
  if (gate?.id !== seen.gateId || gate.status !== "open") return { releasable: false };
  const releasable = can.includes("release");
  const opening = { gateId: seen.gateId, digest: seen.digest, personId: actor.id, practices: reviewedBy(actor) };
  if (!(await hasOpened(store, opening))) return { alone: { type: "not-opened" }, releasable };
  if (checks.some(({ needsReason }) => needsReason)) return { alone: { type: "has-warnings" }, releasable };
  const needed = voting?.needed ?? 1;
  return { alone: needed > 1 ? { type: "needs-more-people", needed } : undefined, releasable };
}
