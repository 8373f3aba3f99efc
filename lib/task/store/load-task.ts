import { isUuid } from "#lib/platform/uuid";
import { type Db, query, type Store, type Tx } from "#lib/db/db";
import { keysOf } from "#lib/db/practice-keys";
import { forMany } from "#lib/db/statement";
import { submissionsColumn } from "#lib/submission/store/submissions";
import type { Task } from "#lib/task/model/task";
import { assert } from "#lib/platform/result";
import type { ServiceReview } from "#lib/task/model/service-review";
import { openText } from "#lib/db/sealed";
import {
  knownRow,
  recordColumns,
  type RecordRow,
  type StoredRow,
  taskColumns,
  taskJoins,
  type TaskRow,
} from "./task-rows.ts";

/** A task as it was read in the transaction that may change it. */
export type LoadedTask = { readonly tx: Tx; readonly row: TaskRow; readonly task: Task };

/** Which task, and the practices the asker may act in: the practice is always part of the query. */
export type Scope = { readonly taskId: string; readonly practices: readonly string[] | "every" };

const byId = `SELECT ${taskColumns}, ${submissionsColumn} FROM task t ${taskJoins}
  WHERE t.id = $1::uuid AND ($2::text[] IS NULL OR t.practice_id = ANY ($2::text[]))`;

const anyById = `SELECT ${taskColumns}, ${submissionsColumn} FROM task t ${taskJoins}
  WHERE t.id = $1::uuid AND t.practice_id = given.practice`;
const manyById = forMany("load-task", anyById, { types: ["uuid"] });

/** The task as it stands now, or undefined where it does not exist in those practices. */
export async function loadTask(db: Store | Tx, { taskId, practices }: Scope): Promise<TaskRow | undefined> {
  if (!isUuid(taskId)) return undefined;
  const isEvery = practices === "every";
  const values = [taskId, isEvery ? null : [...practices]];
  const many = isEvery ? manyById : undefined;
  const [row] = await query<StoredRow<TaskRow>>(db, { name: "load-task", text: byId, values, many });
  return openable(db, row);
}

/** Whoever has the row may open what is in it. */
async function openable(db: Store | Tx, row: StoredRow<TaskRow> | undefined): Promise<TaskRow | undefined> {
  if (!row) return undefined;
  await keysOf(db)?.ready([row.practice_id]);
  return knownRow(row);
}

const ifReached = `SELECT task_known(lookup.id) AS "exists", ${recordColumns}, ${submissionsColumn}
  FROM (SELECT $1::uuid AS id) lookup LEFT JOIN task t ON t.id = lookup.id AND t.practice_id = ANY ($2::text[]) ${taskJoins}`;

/** Whether any task has this id, whoever it belongs to, and its row where it is in those practices. */
export async function findTask(
  store: Store,
  { taskId, practices }: { readonly taskId: string; readonly practices: readonly string[] },
): Promise<{ readonly exists: boolean; readonly row: RecordRow | undefined }> {
  if (!isUuid(taskId)) return { exists: false, row: undefined };
  const query = { name: "find-task", text: ifReached, values: [taskId, [...practices]] };
  const { rows } = await store.pool.query<{ exists: boolean } & (StoredRow<RecordRow> | { id: null })>(query);
  const [found] = rows;
  return { exists: found?.exists === true, row: found && found.id !== null ? knownRow(found) : undefined };
}

/** Whether a case is in one of these practices. */
export async function taskInPractices(
  store: Store,
  { taskId, practices }: { readonly taskId: string; readonly practices: readonly string[] },
): Promise<boolean> {
  if (!isUuid(taskId)) return false;
  return (await store.prisma.task.count({ where: { id: taskId, practiceId: { in: [...practices] } } })) > 0;
}

/** A revision as it was accepted, the digest of its bytes and when. */
export type KeptRevision = { readonly review: ServiceReview; readonly digest: string; readonly createdAt: Date };

type RevisionRow = { readonly service_review: Uint8Array; readonly digest: string; readonly created_at: Date };

export async function loadRevision(
  db: Db,
  { taskId, number, practiceId }: { taskId: string; number: number; practiceId: string },
): Promise<KeptRevision> {
  const [row] = await query<RevisionRow>(db, {
    name: "load-revision",
    text: `SELECT service_review, digest, created_at FROM revision
            WHERE task_id = $1::uuid AND number = $2::int AND practice_id = $3`,
    values: [taskId, number, practiceId],
  });
  assert(row, "a task's revision exists");
  const text = openText(db, "revision.service_review", { row: `${taskId}/${number}`, practiceId }, row.service_review);
  // Safe because the edge parsed it before it was sealed, and the seal shows it is unchanged.
  return { review: JSON.parse(text) as ServiceReview, digest: row.digest, createdAt: row.created_at };
}
