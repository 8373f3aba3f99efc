import { isOpen } from "#lib/task/store/case-states";
import type { Store } from "#lib/db/db";
import { isRecordStopped } from "./record-stops.ts";
import { isOnConnection } from "#lib/task/store/route-payer";
import { acrossPractices } from "#lib/db/for-practices";

/** Tasks that the worker should look at now. These are hints: each verb decides again on the row itself. */
export type DueWork = {
  readonly expired: readonly DueTask[];
  readonly lapsed: readonly DueTask[];
  readonly claimable: readonly DueTask[];
  /** A payer's notification is waiting, and the worker is not submitting anything of the task. */
  readonly pushed: readonly DueTask[];
};

/** A task to work on, and the practice whose scope the work is done in. */
export type DueTask = { readonly taskId: string; readonly practiceId: string };

/** The most tasks of one kind that a round looks at. */
const batchMax = 50;

export async function dueWork(store: Store): Promise<DueWork> {
  const { rows } = await acrossPractices(store, "due-work").pool.query<DueTask & { kind: keyof DueWork }>({
    name: "due-work",
    text: `
      (SELECT 'expired' AS kind, g.task_id AS "taskId", g.practice_id AS "practiceId" FROM gate g JOIN task t ON t.id = g.task_id AND t.gate_id = g.id AND t.stage = 'held'
        WHERE g.status = 'open' AND g.expires_at <= clock_timestamp() ORDER BY g.expires_at LIMIT $1)
      UNION ALL
      (SELECT 'lapsed', task_id, practice_id FROM transmission
        WHERE phase = 'submitting' AND lease_until <= clock_timestamp() ORDER BY lease_until LIMIT $1)
      UNION ALL
      (SELECT 'claimable', task_id, practice_id FROM transmission
        WHERE phase = 'released' AND NOT is_manual AND claimable_at <= clock_timestamp()
          AND NOT ${isRecordStopped("transmission.practice_id")} ORDER BY claimable_at LIMIT $1)
      UNION ALL
      (SELECT DISTINCT 'pushed', e.task_id, e.practice_id FROM payer_event e JOIN task t ON t.id = e.task_id
        WHERE e.handled_at IS NULL
          AND (t.stage <> 'submitting' OR EXISTS (SELECT FROM gate g WHERE g.id = t.gate_id AND g.is_manual)) LIMIT $1)`,
    values: [batchMax],
  });
  const of = (kind: keyof DueWork) =>
    rows.filter((row) => row.kind === kind).map(({ taskId, practiceId }) => ({ taskId, practiceId }));
  return { expired: of("expired"), lapsed: of("lapsed"), claimable: of("claimable"), pushed: of("pushed") };
}

/**
 * Claims the tasks whose payer is due to be asked, and sets their next inquiry in the same statement, so that no other
 * worker asks too. A task that is being changed is left for the next round.
 */
export async function claimDuePolls(store: Store, delaysMs: readonly number[]): Promise<readonly DueTask[]> {
  const { rows } = await acrossPractices(store, "due-work").pool.query<DueTask>({
    name: "claim-due-polls",
    text: `
      WITH due AS MATERIALIZED (
        SELECT id FROM task
         WHERE poll_at <= clock_timestamp() AND NOT ${isRecordStopped("task.practice_id")}
         ORDER BY poll_at LIMIT $1 FOR UPDATE SKIP LOCKED)
      UPDATE task t SET polls = t.polls + 1,
             poll_at = clock_timestamp() + ($2::float8[])[least(t.polls + 1, cardinality($2))] * interval '1 millisecond'
        FROM due WHERE t.id = due.id
      RETURNING t.id AS "taskId", t.practice_id AS "practiceId"`,
    values: [batchMax, delaysMs],
  });
  return rows;
}

/** Postpones the next inquiry to the time the payer gave. Never brings it forward. */
export async function postponePoll(store: Store, { taskId, ms }: { taskId: string; ms: number }): Promise<void> {
  await store.pool.query({
    name: "postpone-poll",
    text: `UPDATE task SET poll_at = greatest(poll_at, clock_timestamp() + $2 * interval '1 millisecond')
            WHERE id = $1 AND poll_at IS NOT NULL`,
    values: [taskId, ms],
  });
}

/**
 * Brings forward the inquiries about this practice's open tasks on the payer connection with this payer id, the earliest
 * due first. Returns how many.
 */
export async function askSoon(
  store: Store,
  { practiceId, payerId }: { practiceId: string; payerId: string },
): Promise<number> {
  const { rowCount } = await store.pool.query({
    name: "ask-soon",
    text: `UPDATE task SET poll_at = clock_timestamp()
            WHERE id IN (SELECT id FROM task
                          WHERE practice_id = $1 AND ${isOnConnection("task", "$2")} AND poll_at > clock_timestamp()
                          ORDER BY poll_at LIMIT $3)`,
    values: [practiceId, payerId, batchMax],
  });
  return rowCount ?? 0;
}

/** Makes an inquiry due now for every task that the payers of these practices have or may have. Returns how many. */
export async function askAllNow(store: Store, practices: readonly string[]): Promise<number> {
  const { rowCount } = await store.pool.query({
    name: "ask-all-now",
    text: `UPDATE task SET poll_at = clock_timestamp(), polls = 0
            WHERE practice_id = ANY ($1::text[]) AND payer_receipt <> 'no' AND voided IS NULL AND stage <> 'ended'
              AND (determination_id IS NULL OR undecided_revision IS NOT NULL OR void_pending OR stage = 'unconfirmed')`,
    values: [practices],
  });
  return rowCount ?? 0;
}

/** The tasks of these practices that are released, or held with at least one release. */
export async function tasksReleased(store: Store, practices: readonly string[]): Promise<readonly string[]> {
  const { rows } = await store.pool.query<{ id: string }>({
    name: "tasks-released",
    text: `SELECT t.id FROM task t
            WHERE t.practice_id = ANY ($1::text[])
              AND (t.stage = 'released' OR (t.stage = 'held' AND EXISTS (
                SELECT FROM vote v WHERE v.gate_id = t.gate_id AND v.answer = 'release'))) ORDER BY t.id`,
    values: [practices],
  });
  return rows.map(({ id }) => id);
}

export async function stopPolling(store: Store, taskId: string): Promise<void> {
  await store.prisma.task.update({ where: { id: taskId }, data: { pollAt: null, polls: 0 } });
}

/** The open tasks whose gate or unclaimed release uses this practice's connection with this payer id. */
export async function tasksOnRoute(
  store: Store,
  { practiceId, payerId }: { practiceId: string; payerId: string },
): Promise<readonly string[]> {
  const { rows } = await store.pool.query<{ id: string }>({
    name: "tasks-on-route",
    text: `
      SELECT t.id FROM task t
       WHERE t.practice_id = $1 AND ${isOnConnection("t", "$2")} AND t.stage IN ('held', 'released') AND ${isOpen}`,
    values: [practiceId, payerId],
  });
  return rows.map(({ id }) => id);
}

/** The same for all requests that name this payer, over whatever connection they go. */
export async function heldTasksOfPayer(
  store: Store,
  { practiceId, payerId }: { practiceId: string; payerId: string },
): Promise<readonly string[]> {
  const { rows } = await store.pool.query<{ id: string }>({
    name: "held-tasks-of-payer",
    text: `
      SELECT t.id FROM task t
       WHERE t.practice_id = $1 AND t.payer_id = $2 AND t.stage IN ('held', 'released') AND ${isOpen}`,
    values: [practiceId, payerId],
  });
  return rows.map(({ id }) => id);
}
