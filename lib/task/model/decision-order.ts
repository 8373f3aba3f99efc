import type { DeterminationFact, PayerFacts } from "./task.ts";

/** How far a payer's clock may run ahead of ours before its date is no longer believed: 5 minutes. */
const aheadMsMax = 5 * 60 * 1000;

type Dated = Pick<DeterminationFact, "decidedAt" | "receivedAt">;

/** Whether a decision is dated so long after it was heard that its date orders nothing. */
export function isPostdated({ decidedAt, receivedAt }: Dated): boolean {
  if (!decidedAt || !receivedAt) return false;
  return decidedAt.getTime() - receivedAt.getTime() > aheadMsMax;
}

/** When a decision was made at the latest: nobody decides after they were heard. */
function decidedBy({ decidedAt, receivedAt }: Dated): Date | undefined {
  return decidedAt && receivedAt && receivedAt < decidedAt ? receivedAt : decidedAt;
}

/**
 * How a determination that is heard now stands to what the payer decided before. One that answers what the payer had not
 * decided on yet is the newer one, whatever the dates say: nothing was decided on that before.
 */
export function orderAfter(
  { determination, undecided }: Pick<PayerFacts, "determination" | "undecided">,
  next: DeterminationFact,
): ReturnType<typeof orderOf> {
  const answers = undecided && next.revision !== undefined && next.revision >= undecided.revision;
  return answers ? "newer" : orderOf(determination, next);
}

/**
 * How a decision that is heard now stands to the one in force, by the payer's
 * own instants. `disputed`: one of the two is dated after it was heard, so the
 * one heard later counts and a person is shown the conflict.
 */
export function orderOf(current: Dated | undefined, next: Dated): "newer" | "older" | "unknown" | "disputed" {
  if (!current) return "newer";
  if (isPostdated(current) || isPostdated(next)) return "disputed";
  const [before, after] = [decidedBy(current), decidedBy(next)];
  if (!before || !after || before.getTime() === after.getTime()) return "unknown";
  return after > before ? "newer" : "older";
}
