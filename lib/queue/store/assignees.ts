import type { Store, Tx } from "#lib/db/db";
import { isUuid } from "#lib/platform/uuid";

/** Somebody who may decide for a practice. */
export type Reviewer = { readonly id: string; readonly name: string };

/** The assignee of a case. `able` is false once they may no longer decide for its practice. */
export type Assignee = Reviewer & { readonly able: boolean };

const isAble = "p.status = 'active'";

/** The people who may decide for this practice now, by name. */
export async function loadReviewers(db: Store | Tx, practiceId: string): Promise<readonly Reviewer[]> {
  const text = `SELECT p.id, p.name FROM person_role pp JOIN person p ON p.id = pp.person_id
                 WHERE pp.practice_id = $1 AND pp.role = 'reviewer' AND ${isAble} ORDER BY p.name, p.id`;
  if (!("pool" in db)) return db.$queryRawUnsafe<Reviewer[]>(text, practiceId);
  return (await db.pool.query<Reviewer>({ name: "load-reviewers", text, values: [practiceId] })).rows;
}

/** The assignee of a case. Undefined if there is none. */
export async function loadAssignee(
  db: Store | Tx,
  { taskId, practiceId }: { readonly taskId: string; readonly practiceId: string },
): Promise<Assignee | undefined> {
  const text = `
    SELECT p.id, p.name, ${isAble} AND EXISTS (
             SELECT FROM person_role WHERE person_id = p.id AND role = 'reviewer' AND practice_id = t.practice_id) AS able
      FROM task t JOIN person p ON p.id = t.assignee_id
     WHERE t.id = $1::uuid AND t.practice_id = $2`;
  const values = [taskId, practiceId];
  if (!("pool" in db)) return (await db.$queryRawUnsafe<Assignee[]>(text, ...values))[0];
  return (await db.pool.query<Assignee>({ name: "load-assignee", text, values })).rows[0];
}

/**
 * Whether this person may decide for the practice. Locked until the commit, so that nobody is deactivated in between.
 */
export async function lockReviewer(
  tx: Tx,
  { personId, practiceId }: { readonly personId: string; readonly practiceId: string },
): Promise<boolean> {
  if (!isUuid(personId)) return false;
  const rows = await tx.$queryRawUnsafe<unknown[]>(
    `SELECT 1 FROM person p JOIN person_role pp ON pp.person_id = p.id AND pp.role = 'reviewer'
      WHERE p.id = $1::uuid AND pp.practice_id = $2 AND ${isAble} FOR SHARE OF p, pp`,
    personId,
    practiceId,
  );
  return rows.length > 0;
}

type Assignment = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
};

/** Changes the assignee of a case from one person to another. False if the case has another assignee. */
export async function setAssignee(tx: Tx, { taskId, practiceId, from, to }: Assignment): Promise<boolean> {
  const where = { id: taskId, practiceId, assigneeId: from ?? null };
  const { count } = await tx.task.updateMany({ where, data: { assigneeId: to ?? null } });
  return count > 0;
}

/** The practice of a case among these, and its assignee. */
export async function findAssigned(
  tx: Tx,
  { taskId, practices }: { readonly taskId: string; readonly practices: readonly string[] },
): Promise<{ practiceId: string; assigneeId: string | undefined } | undefined> {
  if (!isUuid(taskId)) return undefined;
  const where = { id: taskId, practiceId: { in: [...practices] } };
  const task = await tx.task.findFirst({ where, select: { practiceId: true, assigneeId: true } });
  return task ? { practiceId: task.practiceId, assigneeId: task.assigneeId ?? undefined } : undefined;
}
