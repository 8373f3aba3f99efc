import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { refuse, type Result } from "#lib/platform/result";
import { hasOpened } from "#lib/queue/store/chosen-cases";
import { eachOf, type BulkItem, type BulkOutcome, type TooMany } from "./bulk.ts";
import { reviewedBy } from "#lib/task/desk-refusal";
import type { Refusal } from "#lib/task/refusal";
import type { DecisionResult } from "#lib/gate/decide-once";
import { releaseGate } from "#lib/gate/release-gate";
import { reviewTask } from "#lib/task/review-task";

/** Why one of several cases may only be released on its own page. */
export type SingleOnlyReason =
  /** This reviewer was not shown the gate as it is now. */
  | { readonly type: "not-opened" }
  /** Something speaks against it, and going ahead wants a reason. */
  | { readonly type: "has-warnings" }
  | { readonly type: "needs-more-people"; readonly needed: number };

type BulkReleased = BulkOutcome<DecisionResult, Refusal | SingleOnlyReason>;

/**
 * Releases each of these gates, where this reviewer opened the case at exactly
 * this digest, nothing of it asks for a reason, and one release is enough. What the
 * practice only has noted asks for none here as on the case's own page. Everything that a
 * single release checks is checked again for each.
 */
export async function bulkRelease(
  ctx: Context<PersonActor>,
  { items }: { readonly items: readonly BulkItem[] },
): Promise<Result<readonly BulkReleased[], TooMany>> {
  return eachOf<BulkItem, DecisionResult, Refusal | SingleOnlyReason>(items, async (item) => {
    const { alone } = await lookAtRelease(ctx, item);
    // Without words about warnings, so that one that came up since is refused.
    return alone ? refuse(alone) : releaseGate(ctx, item);
  });
}

/** What the case's own page says of its release: why it is not released with others, and whether it may be at all. */
export async function lookAtRelease(
  ctx: Context<PersonActor>,
  { taskId, seen }: BulkItem,
): Promise<{ readonly alone?: SingleOnlyReason | undefined; readonly releasable: boolean }> {
  const { actor, store } = ctx;
  const found = await reviewTask(ctx, { taskId });
  if (!found.ok) return { releasable: false };
  const { gate, voting, can, checks } = found.value;
  // Whoever releases what is there no more is told so by the release itself.
  if (gate?.id !== seen.gateId || gate.status !== "open") return { releasable: false };
  const releasable = can.includes("release");
  const opening = { gateId: seen.gateId, digest: seen.digest, personId: actor.id, practices: reviewedBy(actor) };
  if (!(await hasOpened(store, opening))) return { alone: { type: "not-opened" }, releasable };
  if (checks.some(({ needsReason }) => needsReason)) return { alone: { type: "has-warnings" }, releasable };
  const needed = voting?.needed ?? 1;
  return { alone: needed > 1 ? { type: "needs-more-people", needed } : undefined, releasable };
}
