import type { Store, Tx } from "#lib/db/db";
import { knownWord } from "#lib/platform/known-word";
import { nearHours, snoozeWaits, type SnoozeWait } from "#lib/queue/model/snooze";
import { attentions, states, type Attention, type State } from "#lib/task/model/task";
import { isUuid } from "#lib/platform/uuid";

/**
 * SQL: whether the snooze `z` of the task `s` still holds. A deadline that comes near wakes the case here too, because a
 * payer's may be set after the case was snoozed.
 */
const notNear = (due: string) =>
  `(s.${due} IS NULL OR s.${due} <= z.since OR s.${due} > now() + interval '${nearHours} hours')`;
export const isInForce = `z.until > now() AND z.version = s.version AND ${notNear("due_at")} AND ${notNear("payer_due_at")}`;

/**
 * SQL: whether the task `t` is not snoozed. A subquery that is looked up for each row: as a join, Postgres could read
 * all snoozes first and sort what remains, instead of following the index of the list.
 */
export const isAwake = `NOT coalesce((SELECT true FROM snooze z JOIN task s ON s.id = z.task_id
  WHERE z.task_id = t.id AND ${isInForce}), false)`;

/** A snooze that holds. */
export type Snooze = {
  readonly until: Date;
  readonly since: Date;
  readonly waitsFor: SnoozeWait;
  readonly by: string;
};

export async function loadSnooze(
  db: Store | Tx,
  { taskId, practiceId }: { readonly taskId: string; readonly practiceId: string },
): Promise<Snooze | undefined> {
  const text = `
    SELECT z.until, z.since, z.waits_for, p.name FROM snooze z JOIN task s ON s.id = z.task_id JOIN person p ON p.id = z.person_id
     WHERE z.task_id = $1::uuid AND z.practice_id = $2 AND s.practice_id = $2 AND ${isInForce}`;
  type Row = { until: Date; since: Date; waits_for: string; name: string };
  const values = [taskId, practiceId];
  const rows =
    "pool" in db
      ? (await db.pool.query<Row>({ name: "load-snooze", text, values })).rows
      : await db.$queryRawUnsafe<Row[]>(text, ...values);
  const [row] = rows;
  if (!row) return undefined;
  const { until, since, waits_for: waitsFor, name: by } = row;
  return { until, since, by, waitsFor: knownWord(snoozeWaits, waitsFor, "snooze.waits_for") };
}

/** When the next `max` snoozes of these practices end; one range of an index for each practice. */
export async function loadSnoozeEnds(
  { pool }: Store,
  { practices, max }: { readonly practices: readonly string[]; readonly max: number },
): Promise<readonly Date[]> {
  if (practices.length === 0) return [];
  const { rows } = await pool.query<{ until: Date }>({
    name: "load-snooze-ends",
    text: `
      SELECT one.until FROM unnest($1::text[]) AS p (id) CROSS JOIN LATERAL (
        SELECT z.until FROM snooze z JOIN task s ON s.id = z.task_id
         WHERE z.practice_id = p.id AND ${isInForce} ORDER BY z.until LIMIT $2) one
       ORDER BY one.until LIMIT $2`,
    values: [practices, max],
  });
  return rows.map(({ until }) => until);
}

/** The cases of these practices that nobody woke, and whose snooze has ended since. */
export async function loadRested(
  { pool }: Store,
  { practices, since }: { readonly practices: readonly string[]; readonly since: Date },
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ task_id: string }>({
    name: "load-rested",
    text: `
      SELECT z.task_id FROM snooze z JOIN task s ON s.id = z.task_id
       WHERE z.practice_id = ANY ($1::text[]) AND z.until > $2 AND z.until <= now() AND z.version = s.version
       ORDER BY z.until DESC LIMIT 500`,
    values: [practices, since],
  });
  return rows.map(({ task_id: taskId }) => taskId);
}

/** What a snooze depends on. */
export type Snoozable = {
  readonly practiceId: string;
  readonly version: number;
  readonly changedAt: Date;
  readonly state: State;
  readonly attention: Attention | undefined;
  readonly isPayerLate: boolean;
  readonly deadlines: readonly Date[];
  readonly now: Date;
};

/** A case of these practices. */
export async function findSnoozable(
  tx: Tx,
  { taskId, practices }: { readonly taskId: string; readonly practices: readonly string[] },
): Promise<Snoozable | undefined> {
  if (!isUuid(taskId)) return undefined;
  type Facts = { practice_id: string; version: number; changed_at: Date; state: string; needs_person: string | null };
  type Row = Facts & { due_at: Date | null; payer_due_at: Date | null; expires_at: Date | null; now: Date };
  const [row] = await tx.$queryRawUnsafe<Row[]>(
    `SELECT t.practice_id, t.version, t.changed_at, t.state, t.needs_person, t.due_at, t.payer_due_at, g.expires_at, now() AS now
       FROM task t LEFT JOIN gate g ON g.id = t.gate_id AND g.status = 'open'
      WHERE t.id = $1::uuid AND t.practice_id = ANY ($2::text[])`,
    taskId,
    practices,
  );
  if (!row) return undefined;
  const { due_at: dueAt, payer_due_at: payerDueAt, expires_at: expiresAt, needs_person: attention, now } = row;
  return {
    practiceId: row.practice_id,
    version: row.version,
    changedAt: row.changed_at,
    state: knownWord(states, row.state, "task.state"),
    attention: attention === null ? undefined : knownWord(attentions, attention, "task.needs_person"),
    isPayerLate: payerDueAt !== null && payerDueAt < now,
    deadlines: [dueAt, payerDueAt, expiresAt].filter((at) => at !== null),
    now,
  };
}

type NewSnooze = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly personId: string;
  readonly version: number;
  readonly waitsFor: SnoozeWait;
  readonly until: Date;
};

/** Puts a case off, over exactly this version of it. False if it has changed, or if somebody has put it off already. */
export async function saveSnooze(tx: Tx, snooze: NewSnooze): Promise<boolean> {
  const { taskId, practiceId, personId, version, waitsFor, until } = snooze;
  const saved = await tx.$executeRaw`
    INSERT INTO snooze AS z (task_id, practice_id, person_id, version, waits_for, since, until)
    SELECT t.id, t.practice_id, ${personId}::uuid, t.version, ${waitsFor}, now(), ${until}
      FROM task t WHERE t.id = ${taskId}::uuid AND t.practice_id = ${practiceId} AND t.version = ${version}
    ON CONFLICT (task_id) DO UPDATE SET person_id = excluded.person_id, version = excluded.version,
      waits_for = excluded.waits_for, since = excluded.since, until = excluded.until
      WHERE z.until <= now() OR z.version <> excluded.version`;
  return saved > 0;
}

/** Ends the snooze of a case of these practices; its practice and when it would have ended. Undefined if none holds. */
export async function endSnooze(
  tx: Tx,
  { taskId, practices }: { readonly taskId: string; readonly practices: readonly string[] },
): Promise<{ practiceId: string; until: Date } | undefined> {
  const [row] = await tx.$queryRawUnsafe<{ practice_id: string; was: Date }[]>(
    `UPDATE snooze z SET until = now()
       FROM snooze was JOIN task s ON s.id = was.task_id
      WHERE z.task_id = $1::uuid AND z.practice_id = ANY ($2::text[]) AND was.task_id = z.task_id AND was.until = z.until
        AND ${isInForce} RETURNING z.practice_id, was.until AS was`,
    taskId,
    practices,
  );
  return row && { practiceId: row.practice_id, until: row.was };
}
