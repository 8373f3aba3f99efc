import type { Store } from "./db.ts";
import { namesOf } from "./failure-names.ts";
import { ArchiveAwayError } from "./object-store.ts";

type OfCase = { readonly practiceId: string; readonly taskId: string };

/** The wait after the first failure, doubled by each further one up to the longest. */
const waits = { first: "1 minute", doublingsMax: 11, longest: "1 day" };

/** Most cases that are tried again at once, and for how long a worker has them. */
const [retriedMax, claimedFor] = [10, "5 minutes"];

/** Notes that a closed case could not be archived though others can be, and when it is tried again. */
export async function noteFailure(
  { pool }: Store,
  { practiceId, taskId, error }: OfCase & { readonly error: unknown },
): Promise<void> {
  await pool.query({
    name: "archive-note-failure",
    text: `INSERT INTO archive_failure AS f (task_id, practice_id, closed_at, reason, since, due_at)
           SELECT id, practice_id, closed_at, $3, clock_timestamp(), clock_timestamp() + interval '${waits.first}'
             FROM task WHERE id = $1::uuid AND practice_id = $2 AND closed_at IS NOT NULL
           ON CONFLICT (task_id) DO UPDATE
              SET closed_at = excluded.closed_at, reason = excluded.reason, failures = f.failures + 1,
                  due_at = clock_timestamp() + least(interval '${waits.longest}',
                    interval '${waits.first}' * power(2, least(f.failures, ${waits.doublingsMax})))`,
    values: [taskId, practiceId, reasonOf(error)],
  });
}

/** In words that hold nothing of a case: the log has the failure itself. */
function reasonOf(error: unknown): string {
  if (error instanceof ArchiveAwayError) return `the archive: ${error.reason}`;
  const { state } = namesOf(error);
  return state === undefined ? "the worker's log has it" : `the database: ${state}`;
}

/**
 * A practice's cases that failed and are to be tried again now, which this worker then has for a while. One that changed
 * since is forgotten: it is found anew once it has been closed for long enough.
 */
export async function dueFailures(
  { pool }: Store,
  { practiceId, afterDays }: { readonly practiceId: string; readonly afterDays: number },
): Promise<readonly string[]> {
  await pool.query({
    name: "archive-changed-failures",
    text: `DELETE FROM archive_failure f WHERE f.practice_id = $1 AND f.due_at <= clock_timestamp()
              AND NOT EXISTS (SELECT FROM task t WHERE t.id = f.task_id AND t.practice_id = $1 AND t.closed_at = f.closed_at)`,
    values: [practiceId],
  });
  const { rows } = await pool.query<{ id: string }>({
    name: "archive-due-failures",
    text: `UPDATE archive_failure SET due_at = clock_timestamp() + interval '${claimedFor}'
            WHERE task_id IN (SELECT task_id FROM archive_failure
                               WHERE practice_id = $1 AND due_at <= clock_timestamp()
                                 AND closed_at < clock_timestamp() - make_interval(days => $2::int)
                               ORDER BY due_at LIMIT ${retriedMax} FOR UPDATE SKIP LOCKED)
            RETURNING task_id AS id`,
    values: [practiceId, afterDays],
  });
  return rows.map(({ id }) => id);
}

/** Forgets that a case failed, once it is archived. */
export async function dropFailure({ pool }: Store, { practiceId, taskId }: OfCase): Promise<void> {
  await pool.query({
    name: "archive-drop-failure",
    text: "DELETE FROM archive_failure WHERE task_id = $1::uuid AND practice_id = $2",
    values: [taskId, practiceId],
  });
}

/** How many cases could not be archived and wait to be tried again. */
export async function countFailures({ pool }: Store): Promise<number> {
  const { rows } = await pool.query<{ n: number }>({
    name: "archive-count-failures",
    text: "SELECT count(*)::int AS n FROM archive_failure",
  });
  return rows[0]?.n ?? 0;
}

/** A case that could not be archived though others could. */
export type ArchiveFailure = {
  readonly taskId: string;
  readonly practiceId: string;
  /** How often it failed, and since when. */
  readonly failures: number;
  readonly since: Date;
  /** Of the last time. */
  readonly reason: string;
  /** When it is tried again. */
  readonly dueAt: Date;
};

/** The twenty cases that have failed for longest. */
export async function listFailures({ pool }: Store): Promise<readonly ArchiveFailure[]> {
  const { rows } = await pool.query<ArchiveFailure>({
    name: "archive-list-failures",
    text: `SELECT task_id AS "taskId", practice_id AS "practiceId", failures, since, reason, due_at AS "dueAt"
             FROM archive_failure ORDER BY since, task_id LIMIT 20`,
  });
  return rows;
}
