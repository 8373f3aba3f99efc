import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { announce } from "#lib/db/announce";
import { findAssigned, loadAssignee, lockReviewer, setAssignee } from "#lib/queue/store/assignees";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { inTransaction } from "#lib/db/db";
import { reviewedBy, type DeskRefusal } from "#lib/task/desk-refusal";

export type Assignment = {
  readonly taskId: string;
  /** The assignee that the page showed; undefined when the case was unassigned. */
  readonly from: string | undefined;
  /** Undefined to unassign the case. */
  readonly to: string | undefined;
};

/**
 * Assigns a case to a reviewer of its practice, or unassigns it. Refuses when the assignee is no longer the one that the page
 * showed. The lifecycle is not affected: the version and the last change of the case stay the same.
 */
export async function assignTask(
  { actor, store }: Context<PersonActor>,
  { taskId, from, to }: Assignment,
): Promise<Result<"done" | "nothing", DeskRefusal>> {
  const practices = reviewedBy(actor);
  const assigned = await inTransaction(store, async (tx) => {
    const found = await findAssigned(tx, { taskId, practices });
    if (!found) return refuse({ type: "not-found" });
    const { practiceId, assigneeId } = found;
    if (assigneeId === to) return ok(undefined);
    if (to !== undefined && !(await lockReviewer(tx, { personId: to, practiceId })))
      return refuse({ type: "not-able" });
    const isSet = assigneeId === from && (await setAssignee(tx, { taskId, practiceId, from, to }));
    if (!isSet)
      return refuse({ type: "assigned-meanwhile", to: (await loadAssignee(tx, { taskId, practiceId }))?.name });
    const detail = { from: from ?? null, to: to ?? null };
    await appendAudit(tx, { chain: practiceId, actor, act: "case.assigned", taskId, detail });
    return ok(practiceId);
  });
  if (!assigned.ok) return assigned;
  if (assigned.value === undefined) return ok("nothing");
  announce(store, "cases", assigned.value);
  return ok("done");
}
