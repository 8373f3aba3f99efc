import type { Determination } from "#lib/task/model/determination";
import { isPostdated } from "#lib/task/model/decision-order";
import { lastReceivedRevision, receivedSince } from "#lib/gate/store/gates";
import type { LoadedTask } from "#lib/task/store/load-task";

/**
 * The revision that a determination answers when it comes by notification or inquiry: the last revision the payer has,
 * unless the payer decided before that revision was sent. Undefined for an undated determination while the payer has an
 * undecided change, because it may answer either revision.
 */
export async function answeredRevision(
  { tx, row, task }: LoadedTask,
  { decidedAt: said }: Determination,
): Promise<number | undefined> {
  const place = { taskId: row.id, practiceId: row.practice_id };
  const { undecided, determination } = task.payer;
  const last = (await lastReceivedRevision(tx, place)) ?? row.revision;
  if (!undecided) return last;
  const decidedAt = said === undefined ? undefined : new Date(said);
  if (!decidedAt || isPostdated({ decidedAt, receivedAt: row.now })) return undefined;
  const sentAt = await receivedSince(tx, { ...place, revision: undecided.revision });
  return sentAt && decidedAt < sentAt ? determination?.revision : undecided.revision;
}
