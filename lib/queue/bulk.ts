import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { refuse, type Result, ok } from "#lib/platform/result";
import { hasOpened } from "#lib/queue/store/chosen-cases";
import { reviewedBy, type DeskRefusal } from "#lib/task/desk-refusal";
import type { Refusal, Issue } from "#lib/task/refusal";
import type { DecisionResult } from "#lib/gate/decide-once";
import { recallRelease } from "#lib/gate/recall-release";
import { releaseGate } from "#lib/gate/release-gate";
import { reviewTask } from "#lib/task/review-task";
import { declineGate, type Decline } from "#lib/gate/decline-gate";
import { caseProblems } from "#lib/messages/problems/reviewer";
import { problems } from "#lib/messages/problems/field";
import { assignTask, type Assignment } from "./assign-task.ts";
import type { ShownGate } from "#lib/task/model/lifecycle/command";
import { shortIdOf } from "#lib/task/model/short-id";
import { wakesAt, type SnoozeInput } from "./model/snooze.ts";
import { snoozeCase, type CaseSnooze, type SnoozeRefusal } from "./snooze-case.ts";

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

/** Undoes each of these releases that nobody has claimed yet. */
export async function bulkRecall(
  ctx: Context<PersonActor>,
  { items }: { readonly items: readonly { readonly taskId: string; readonly gateId: string }[] },
): Promise<Result<readonly BulkOutcome<DecisionResult, Refusal>[], CountProblem>> {
  return applyToEach(items, (item) => recallRelease(ctx, item));
}

/** Declines each of these gates as it was shown, with one reason for the agents of all of them. */
export async function bulkDecline(
  ctx: Context<PersonActor>,
  { items, ...why }: { readonly items: readonly BulkItem[] } & Pick<Decline, "code" | "reason">,
): Promise<Result<readonly BulkOutcome<DecisionResult, Refusal>[], CountProblem>> {
  return applyToEach(items, (item) => declineGate(ctx, { ...item, ...why }));
}

type AssignOutcome = BulkOutcome<"done" | "nothing", DeskRefusal>;

/** Assigns each of these cases to one reviewer, or unassigns it, unless its assignee is no longer the one shown. */
export async function bulkAssign(
  ctx: Context<PersonActor>,
  { items, to }: { readonly items: readonly Omit<Assignment, "to">[]; readonly to: string | undefined },
): Promise<Result<readonly AssignOutcome[], CountProblem>> {
  return applyToEach(items, (item) => assignTask(ctx, { ...item, to }));
}

type SnoozeOutcome = BulkOutcome<"done", SnoozeRefusal>;

/** No case can be snoozed until then. */
export type TimeProblem = { readonly type: "no-such-time" };

/** Snoozes each of these cases until the same time or event, and wakes each when its own deadline comes near. */
export async function bulkSnooze(
  ctx: Context<PersonActor>,
  { items, ...snooze }: { readonly items: readonly Pick<CaseSnooze, "taskId" | "changedAt">[] } & SnoozeInput,
): Promise<Result<readonly SnoozeOutcome[], CountProblem | TimeProblem>> {
  if (wakesAt(snooze, { now: new Date(), deadlines: [] }) === "invalid") return refuse({ type: "no-such-time" });
  return applyToEach(items, (item) => snoozeCase(ctx, { ...item, ...snooze }));
}

/** Most cases that one bulk action takes. */
export const bulkMax = 50;

/** A chosen case, its open gate as the page showed it, and the idempotency key of this decision. */
type BulkItem = { readonly taskId: string; readonly seen: ShownGate; readonly key?: string | undefined };

/** The outcome of one case; each case is decided independently of the others. */
export type BulkOutcome<Value, Refusal> = {
  readonly taskId: string;
  readonly shortId: string;
  readonly result: Result<Value, Refusal>;
};

export type CountProblem = { readonly type: "invalid"; readonly issues: readonly Issue[] };

/** Applies one action to each case, one after the other, and returns the outcome of each; refuses all when there are too many. */
async function applyToEach<Item extends { readonly taskId: string }, Value, Refusal>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result<Value, Refusal>>,
): Promise<Result<readonly BulkOutcome<Value, Refusal>[], CountProblem>> {
  const problem = countProblem(items.length);
  if (problem) return problem;
  const outcomes: BulkOutcome<Value, Refusal>[] = [];
  for (const item of items) {
    const { taskId } = item;
    outcomes.push({ taskId, shortId: shortIdOf(taskId), result: await act(item) });
  }
  return ok(outcomes);
}

/** Why a bulk action refuses this number of cases; undefined when it is allowed. */
export function countProblem(count: number) {
  if (count === 0) return refuse({ type: "invalid", issues: [{ path: "items", problem: caseProblems.oneItem }] });
  if (count > bulkMax)
    return refuse({ type: "invalid", issues: [{ path: "items", problem: problems.atMost(bulkMax) }] });
  return undefined;
}
