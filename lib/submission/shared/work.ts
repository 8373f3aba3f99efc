import { isOpen } from "#lib/task/model/case-states";
import type { Store } from "#lib/db/db";
import { isRecordStopped } from "./record-stops.ts";
import type { DueRelease, ReserveOptions, DueTask } from "#lib/submission/model/due-work";
import { isOnConnection, routePayer } from "#lib/task/shared/route-payer";
import { acrossPractices } from "#lib/db/for-practices";

/** Tasks that the worker should look at now. These are hints: each verb decides again on the row itself. */
export type DueWork = {
  readonly expired: readonly DueTask[];
  readonly lapsed: readonly DueTask[];
  /** A payer's notification is waiting, and the worker is not submitting anything of the task. */
  readonly pushed: readonly DueTask[];
};

/** The most tasks of one kind that a round looks at. */
const batchMax = 50;

/**
 * SQL: the time by which something is due. An index finds what is due by it and nothing else; compared with the time as
 * it goes on, which differs from row to row, each gate that waits for a person would be read every half second.
 */
const roundBegan = "statement_timestamp()";

/** What is due now. Notifications come in no order, so that those that fail again and again, as while the archive is away, hide no others. */
export async function dueWork(store: Store): Promise<DueWork> {
  const { rows } = await acrossPractices(store, "due-work").pool.query<DueTask & { kind: keyof DueWork }>({
    name: "due-work",
    text: `
      (SELECT 'expired' AS kind, g.task_id AS "taskId", g.practice_id AS "practiceId" FROM gate g JOIN task t ON t.id = g.task_id AND t.gate_id = g.id AND t.stage = 'held'
        WHERE g.status = 'open' AND g.expires_at <= ${roundBegan} ORDER BY g.expires_at LIMIT $1)
      UNION ALL
      (SELECT 'lapsed', task_id, practice_id FROM submission_in_hand
        WHERE lease_until <= ${roundBegan} ORDER BY lease_until LIMIT $1)
      UNION ALL
      (SELECT 'pushed', task_id, practice_id FROM (
         SELECT DISTINCT e.task_id, e.practice_id FROM payer_event e JOIN task t ON t.id = e.task_id
          WHERE e.handled_at IS NULL
            AND (t.stage <> 'submitting' OR EXISTS (SELECT FROM gate g WHERE g.id = t.gate_id AND g.is_manual))) unhandled
        ORDER BY random() LIMIT $1)`,
    values: [batchMax],
  });
  const of = (kind: keyof DueWork) =>
    rows.filter((row) => row.kind === kind).map(({ taskId, practiceId }) => ({ taskId, practiceId }));
  return { expired: of("expired"), lapsed: of("lapsed"), pushed: of("pushed") };
}

/** SQL: the host at which a practice reaches a payer now; empty if it does not. */
const hostOf = (task: string) => `
  coalesce((SELECT lower(substring(r.url FROM '^https?://(?:[^/?#]*@)?([^/?#]+)')) FROM route r
             WHERE r.practice_id = ${task}.practice_id AND r.payer_id = ${routePayer(task)} ORDER BY r.version DESC LIMIT 1), '')`;

/** SQL: when the payer is next asked after so many inquiries, of the list of delays in `$1`. */
const nextPoll = `clock_timestamp() + ($1::float8[])[least(i.inquiries + 1, cardinality($1))] * interval '1 millisecond'`;

type DuePolls = Omit<ReserveOptions, "most"> & { readonly most: number; readonly delaysMs: readonly number[] };

/** How many due inquiries are looked at for each that is made. */
const looksPerPoll = 4;

/**
 * Claims the tasks whose payer is due to be asked, and sets their next inquiry in the same statement, so that no other
 * worker asks too: in turn between practices, and no more of a payer host than it has room for. Those of a host without
 * any are put off by about half a minute, and those of a practice that has its share in hand by two seconds, so that they
 * hide no others.
 */
export async function claimDuePolls(
  store: Store,
  { most, delaysMs, hosts, otherHosts, inHand, eachPractice }: DuePolls,
): Promise<readonly DueRelease[]> {
  if (most <= 0) return [];
  const { rows } = await acrossPractices(store, "due-work").pool.query<DueRelease & { isClaimed: boolean }>({
    name: "claim-due-polls",
    text: `
      WITH due AS MATERIALIZED (
        SELECT i.task_id AS id, i.practice_id, t.payer_id, t.route_payer_id, i.due_at
          FROM next_inquiry i JOIN task t ON t.id = i.task_id
         WHERE i.due_at <= ${roundBegan} AND NOT ${isRecordStopped("i.practice_id")}
         ORDER BY i.due_at LIMIT $2::int * ${looksPerPoll} FOR UPDATE OF i SKIP LOCKED),
      hosted AS (
        SELECT due.*, host.payer_host, coalesce(room.room, $5) AS room,
               coalesce(busy.count, 0) + row_number() OVER (PARTITION BY practice_id ORDER BY due_at) AS turn
          FROM due CROSS JOIN LATERAL (SELECT ${hostOf("due")} AS payer_host) host
          LEFT JOIN unnest($3::text[], $4::int[]) AS room (payer_host, room) USING (payer_host)
          LEFT JOIN unnest($6::text[], $7::int[]) AS busy (practice_id, count) USING (practice_id)),
      fair AS (SELECT *, row_number() OVER (PARTITION BY payer_host ORDER BY turn, due_at) AS of_host FROM hosted),
      chosen AS (SELECT id FROM fair WHERE of_host <= room AND turn <= $8 ORDER BY turn, due_at LIMIT $2)
      UPDATE next_inquiry i
         SET inquiries = CASE WHEN chosen.id IS NULL THEN i.inquiries ELSE i.inquiries + 1 END,
             due_at = CASE WHEN chosen.id IS NOT NULL THEN ${nextPoll}
                           WHEN fair.room = 0 THEN clock_timestamp() + (20 + 20 * random()) * interval '1 s'
                           ELSE clock_timestamp() + interval '2 s' END
        FROM fair LEFT JOIN chosen USING (id)
       WHERE i.task_id = fair.id AND (chosen.id IS NOT NULL OR fair.room = 0 OR fair.turn > $8)
      RETURNING i.task_id AS "taskId", i.practice_id AS "practiceId", fair.payer_host AS "payerHost", chosen.id IS NOT NULL AS "isClaimed"`,
    values: [
      delaysMs,
      most,
      [...hosts.keys()],
      [...hosts.values()],
      otherHosts,
      [...inHand.keys()],
      [...inHand.values()],
      eachPractice,
    ],
  });
  return rows.filter(({ isClaimed }) => isClaimed);
}

/** The inquiry at a payer host that has waited longest, those about unconfirmed submissions first, due or not. */
export async function claimTrialPoll(
  store: Store,
  payerHost: string,
  delaysMs: readonly number[],
): Promise<DueRelease | undefined> {
  const { rows } = await acrossPractices(store, "due-work").pool.query<DueRelease>({
    name: "claim-trial-poll",
    text: `
      WITH soonest AS (
        SELECT i.task_id AS id, i.practice_id, t.payer_id, t.route_payer_id, t.stage, i.due_at
          FROM next_inquiry i JOIN task t ON t.id = i.task_id
         WHERE NOT ${isRecordStopped("i.practice_id")} ORDER BY i.due_at LIMIT 2000),
      chosen AS (SELECT id FROM soonest s WHERE ${hostOf("s")} = $2 ORDER BY s.stage = 'unconfirmed' DESC, s.due_at LIMIT 1),
      mine AS (SELECT i.task_id FROM next_inquiry i JOIN chosen ON chosen.id = i.task_id FOR UPDATE OF i SKIP LOCKED)
      UPDATE next_inquiry i SET inquiries = i.inquiries + 1, due_at = ${nextPoll} FROM mine WHERE i.task_id = mine.task_id
      RETURNING i.task_id AS "taskId", i.practice_id AS "practiceId", $2::text AS "payerHost"`,
    values: [delaysMs, payerHost],
  });
  return rows[0];
}

/** Postpones the next inquiry to the time the payer gave. Never brings it forward. */
export async function postponePoll(store: Store, { taskId, ms }: { taskId: string; ms: number }): Promise<void> {
  await store.pool.query({
    name: "postpone-poll",
    text: `UPDATE next_inquiry SET due_at = greatest(due_at, clock_timestamp() + $2 * interval '1 millisecond')
            WHERE task_id = $1`,
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
    text: `UPDATE next_inquiry SET due_at = clock_timestamp()
            WHERE task_id IN (SELECT t.id FROM task t JOIN next_inquiry i ON i.task_id = t.id
                               WHERE t.practice_id = $1 AND ${isOpen} AND ${isOnConnection("t", "$2")}
                                 AND i.due_at > clock_timestamp()
                               ORDER BY i.due_at LIMIT $3)`,
    values: [practiceId, payerId, batchMax],
  });
  return rowCount ?? 0;
}

/**
 * Makes an inquiry due now for every task that the payers of these practices have or may have. Returns how many. One
 * statement for each practice, and over its open tasks alone, so that none grows with what the database keeps.
 */
export async function askAllNow(store: Store, practices: readonly string[]): Promise<number> {
  let count = 0;
  for (const practiceId of practices) {
    const { rowCount } = await store.pool.query({
      name: "ask-all-now",
      text: `INSERT INTO next_inquiry (task_id, practice_id, due_at, inquiries)
             SELECT t.id, t.practice_id, clock_timestamp(), 0 FROM task t
              WHERE t.practice_id = $1 AND ${isOpen} AND t.payer_receipt <> 'no' AND t.voided IS NULL AND t.stage <> 'ended'
                AND (t.determination_id IS NULL OR t.undecided_revision IS NOT NULL OR t.void_pending OR t.stage = 'unconfirmed')
             ON CONFLICT (task_id) DO UPDATE SET due_at = excluded.due_at, inquiries = 0`,
      values: [practiceId],
    });
    count += rowCount ?? 0;
  }
  return count;
}

/** The tasks of these practices that are released, or held with at least one release. Found practice by practice, as above. */
export async function tasksReleased(store: Store, practices: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const practiceId of practices) {
    const { rows } = await store.pool.query<{ id: string }>({
      name: "tasks-released",
      // Two parts, because behind an OR the votes of all gates would be read.
      text: `SELECT t.id FROM task t WHERE t.practice_id = $1 AND ${isOpen} AND t.stage = 'released'
             UNION ALL
             SELECT t.id FROM task t WHERE t.practice_id = $1 AND ${isOpen} AND t.stage = 'held'
                AND EXISTS (SELECT FROM vote v WHERE v.gate_id = t.gate_id AND v.answer = 'release')`,
      values: [practiceId],
    });
    found.push(...rows.map(({ id }) => id).sort());
  }
  return found;
}

export async function stopPolling(store: Store, taskId: string): Promise<void> {
  await store.prisma.nextInquiry.deleteMany({ where: { taskId } });
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
