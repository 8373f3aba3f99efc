import type { DeterminationFact, PayerFacts } from "./task.ts";

/** How far a payer's clock may be ahead of ours before its date is no longer believed: 5 minutes. */
const aheadMsMax = 5 * 60 * 1000;

type DatedFact = Pick<DeterminationFact, "decidedAt" | "receivedAt">;

/** Whether a decision is dated so long after its receipt that its date can't be used for the order. */
export function isPostdated({ decidedAt, receivedAt }: DatedFact): boolean {
  if (!decidedAt || !receivedAt) return false;
  return decidedAt.getTime() - receivedAt.getTime() > aheadMsMax;
}

/** The latest time at which a decision can have been made: no later than its receipt. */
function decidedBy({ decidedAt, receivedAt }: DatedFact): Date | undefined {
  return decidedAt && receivedAt && receivedAt < decidedAt ? receivedAt : decidedAt;
}

/**
 * How a new determination relates to what the payer decided before. If it answers something the payer had not decided
 * on, it is the newer one, whatever its date.
 */
export function orderAfter(
  { determination, undecided }: Pick<PayerFacts, "determination" | "undecided">,
  next: DeterminationFact,
): ReturnType<typeof orderOf> {
  const answers = undecided && next.revision !== undefined && next.revision >= undecided.revision;
  return answers ? "newer" : orderOf(determination, next);
}

/**
 * How a new decision relates to the one in force, by the payer's dates. `disputed`: one of the two is dated after its
 * receipt, so the one received later counts, and a person is shown the conflict.
 */
function orderOf(current: DatedFact | undefined, next: DatedFact): "newer" | "older" | "unknown" | "disputed" {
  if (!current) return "newer";
  if (isPostdated(current) || isPostdated(next)) return "disputed";
  const [before, after] = [decidedBy(current), decidedBy(next)];
  // What has no date was decided before it was heard.
  if (!before && after && current.receivedAt && after > current.receivedAt) return "newer";
  if (!before || !after || before.getTime() === after.getTime()) return "unknown";
  return after > before ? "newer" : "older";
}
