import { Prisma } from "#lib/db/generated/prisma/client";
import { detailJson } from "#lib/audit/model/entry";
import type { Store, Tx } from "#lib/db/db";
import { classInSql } from "#lib/report/model/span-classes";
import type { DecisionTime } from "#lib/task/model/decision-times";

/** A practice whose days are added up: its calendar, and the rules of payers' legal deadlines. */
export type RolledPractice = {
  readonly practiceId: string;
  readonly zone: string;
  readonly rules: readonly DecisionTime[];
};

/** Days of the practice's calendar, ISO 8601, both included. */
export type Days = { readonly from: string; readonly to: string };

const seconds = (span: string) => `extract(epoch FROM ${span})::float8`;
const dayOf = (at: string) => `(${at} AT TIME ZONE $2)::date`;
const within = (at: string) =>
  `${at} >= $3::date::timestamp AT TIME ZONE $2 AND ${at} < ($4::date + 1)::timestamp AT TIME ZONE $2`;
const answered = "('released', 'declined', 'sent-back')";
/** Each by its id: without `OFFSET`, whoever plans a long range would read all tasks there ever were beside it. */
const byId = (columns: string, from: string, id: string) =>
  `JOIN LATERAL (SELECT ${columns} FROM ${from} WHERE id = ${id} OFFSET 0)`;

/** Rows by class, as the two lists a day's row keeps. */
const spanLists = (count: string) => `
  coalesce(array_agg(class ORDER BY class) FILTER (WHERE class IS NOT NULL AND ${count} > 0), '{}') AS span_classes,
  coalesce(array_agg(${count} ORDER BY class) FILTER (WHERE class IS NOT NULL AND ${count} > 0), '{}') AS span_counts`;

/** By gate_decided_idx and the tasks' ids. */
const reviews = `
  INSERT INTO report_review_day (practice_id, day, channel_id, released, declined, sent_back, expired, span_classes, span_counts)
  SELECT $1, day, channel_id, sum(released), sum(declined), sum(sent_back), sum(expired), ${spanLists("answers")}
    FROM (SELECT ${dayOf("g.decided_at")} AS day, t.channel_id,
                 CASE WHEN g.status IN ${answered} THEN ${classInSql(seconds("g.decided_at - g.opened_at"))} END AS class,
                 count(*) FILTER (WHERE g.status = 'released')::int AS released,
                 count(*) FILTER (WHERE g.status = 'declined')::int AS declined,
                 count(*) FILTER (WHERE g.status = 'sent-back')::int AS sent_back,
                 count(*) FILTER (WHERE g.status = 'expired')::int AS expired,
                 count(*) FILTER (WHERE g.status IN ${answered})::int AS answers
            FROM gate g ${byId("channel_id", "task", "g.task_id")} t ON true
           WHERE g.practice_id = $1 AND ${within("g.decided_at")} AND g.status IN ('released', 'declined', 'sent-back', 'expired')
           GROUP BY 1, 2, 3) each
   GROUP BY day, channel_id`;

/** The same. A question about several members counts with each of them. */
const reasons = `
  INSERT INTO report_reason_day (practice_id, day, channel_id, status, reason, cases)
  SELECT $1, ${dayOf("g.decided_at")}, t.channel_id, g.status, why.reason, count(*)::int
    FROM gate g ${byId("channel_id", "task", "g.task_id")} t ON true
   CROSS JOIN LATERAL (
      SELECT coalesce(g.reason_code, 'other') WHERE g.status = 'declined' UNION ALL
      SELECT DISTINCT regexp_replace(field, '/[0-9]+$', '')
        FROM unnest(CASE WHEN cardinality(g.fields) > 0 THEN g.fields ELSE ARRAY[''] END) field
       WHERE g.status = 'sent-back') why (reason)
   WHERE g.practice_id = $1 AND ${within("g.decided_at")} AND g.status IN ('declined', 'sent-back')
   GROUP BY 2, 3, 4, 5`;

/** By gate_decided_idx, and the keys of the votes and the openings. */
const reviewers = `
  INSERT INTO report_reviewer_day (practice_id, day, person_id, released, declined, sent_back, seen, quick, span_classes, span_counts)
  SELECT $1, day, person_id, sum(released), sum(declined), sum(sent_back), sum(seen), sum(quick), ${spanLists("answers")}
    FROM (SELECT ${dayOf("g.decided_at")} AS day, v.person_id, ${classInSql(seconds("v.at - g.opened_at"))} AS class,
                 count(*) FILTER (WHERE v.answer = 'release')::int AS released,
                 count(*) FILTER (WHERE v.answer = 'decline')::int AS declined,
                 count(*) FILTER (WHERE v.answer = 'send-back')::int AS sent_back,
                 count(o.at) FILTER (WHERE v.answer = 'release')::int AS seen,
                 count(*) FILTER (WHERE v.answer = 'release' AND v.at - o.at < interval '4 seconds')::int AS quick,
                 count(*)::int AS answers
            FROM gate g
            JOIN LATERAL (SELECT * FROM vote WHERE gate_id = g.id OFFSET 0) v ON true
            LEFT JOIN LATERAL (SELECT at FROM gate_opened WHERE gate_id = g.id AND person_id = v.person_id OFFSET 0) o ON true
           WHERE g.practice_id = $1 AND ${within("g.decided_at")}
           GROUP BY 1, 2, 3) each
   GROUP BY day, person_id`;

const isApproved = "d.outcome IN ('approved', 'not-required')";
const isPartly = "d.outcome IN ('modified', 'partially-approved')";
const outcomes = `
  count(*) FILTER (WHERE ${isApproved})::int AS approved,
  count(*) FILTER (WHERE ${isPartly})::int AS partly_approved,
  count(*) FILTER (WHERE d.outcome = 'denied')::int AS denied,
  count(*) FILTER (WHERE (${isApproved} OR ${isPartly}) AND EXISTS (
    SELECT FROM determination e WHERE e.task_id = t.id AND e.id <> t.determination_id AND e.outcome = 'denied'))::int AS overturned`;

/** The first instant too late under the rules in force on the day of receipt, as `clockOf` reads them. */
const dueAt = `
  SELECT min(CASE WHEN rule.within ? 'hours' THEN received + make_interval(hours => (rule.within ->> 'hours')::int)
                  ELSE (day + (rule.within ->> 'calendarDays')::int + 1)::timestamp AT TIME ZONE $2 END) AS due_at
    FROM (VALUES ('standard', t.payer_received_at), ('expedited', coalesce(t.payer_urgent_at, t.payer_received_at)))
           AS request (urgency, received)
   CROSS JOIN LATERAL CAST(received AT TIME ZONE $2 AS date) AS day
    JOIN jsonb_to_recordset($5::jsonb) AS rule ("lineOfBusiness" text, urgency text, within jsonb, "from" date, "to" date)
      ON rule.urgency = request.urgency
   WHERE rule."lineOfBusiness" = connection.line_of_business
     AND CASE request.urgency WHEN 'expedited' THEN coalesce(t.payer_urgent, t.urgent)
                              ELSE NOT coalesce(t.payer_urgent, t.urgent) OR t.payer_urgent_at IS NOT NULL END
     AND day >= rule."from" AND (rule."to" IS NULL OR day <= rule."to")`;

/** By task_decided_idx, and the ids of the determinations. */
const payers = `
  INSERT INTO report_payer_day (practice_id, day, payer_id, urgent, approved, partly_approved, denied, overturned,
                                with_deadline, late, span_classes, span_counts)
  SELECT $1, day, payer_id, urgent, sum(approved), sum(partly_approved), sum(denied), sum(overturned),
         sum(with_deadline), sum(late), ${spanLists("timed")}
    FROM (SELECT ${dayOf("t.decided_at")} AS day, t.payer_id, coalesce(t.payer_urgent, t.urgent) AS urgent,
                 ${classInSql(`greatest(0, ${seconds("t.decided_at - t.payer_received_at")})`)} AS class, ${outcomes},
                 count(due.due_at)::int AS with_deadline, count(*) FILTER (WHERE t.decided_at >= due.due_at)::int AS late,
                 count(t.payer_received_at)::int AS timed
            FROM task t
            LEFT JOIN LATERAL (SELECT outcome FROM determination WHERE id = t.determination_id OFFSET 0) d ON true
            LEFT JOIN (SELECT DISTINCT ON (r.payer_id) r.payer_id, r.line_of_business FROM route r
                        WHERE r.practice_id = $1 ORDER BY r.payer_id, r.version DESC) connection
                   ON connection.payer_id = coalesce(t.route_payer_id, t.payer_id)
            LEFT JOIN LATERAL (${dueAt}) due ON true
           WHERE t.practice_id = $1 AND ${within("t.decided_at")}
           GROUP BY 1, 2, 3, 4) each
   GROUP BY day, payer_id, urgent`;

/** By task_decided_idx, and the determinations of each task. */
const denials = `
  INSERT INTO report_denial_day (practice_id, day, payer_id, reason, denied, overturned)
  SELECT $1, ${dayOf("t.decided_at")}, t.payer_id, why.reason, count(*)::int, count(*) FILTER (WHERE ${isApproved} OR ${isPartly})::int
    FROM task t
    LEFT JOIN LATERAL (SELECT outcome FROM determination WHERE id = t.determination_id OFFSET 0) d ON true
   CROSS JOIN LATERAL (
      SELECT DISTINCT reason FROM determination e,
             unnest(CASE WHEN cardinality(e.reasons) > 0 THEN e.reasons ELSE ARRAY[''] END) reason
       WHERE e.task_id = t.id AND e.outcome = 'denied') why
   WHERE t.practice_id = $1 AND ${within("t.decided_at")}
   GROUP BY 2, 3, 4`;

/** By transmission_practice_id_released_at_idx, and the gates' and tasks' ids. */
const submissions = `
  INSERT INTO report_submission_day (practice_id, day, payer_id, connector, released, received, refused, not_received, unconfirmed, retried)
  SELECT $1, ${dayOf("x.released_at")}, t.payer_id, g.connector, count(*)::int,
         count(*) FILTER (WHERE x.result = 'received')::int, count(*) FILTER (WHERE x.result = 'refused')::int,
         count(*) FILTER (WHERE x.result = 'not-received')::int, count(*) FILTER (WHERE x.result = 'unconfirmed')::int,
         count(*) FILTER (WHERE x.attempt > 1)::int
    FROM transmission x
    ${byId("connector", "gate", "x.gate_id")} g ON true ${byId("payer_id", "task", "x.task_id")} t ON true
   WHERE x.practice_id = $1 AND ${within("x.released_at")}
   GROUP BY 2, 3, 4`;

const tables = {
  report_review_day: reviews,
  report_reason_day: reasons,
  report_reviewer_day: reviewers,
  report_payer_day: payers,
  report_denial_day: denials,
  report_submission_day: submissions,
};

/** Adds these days up anew, from the cases as they are. The caller holds the practice's row of progress. */
export async function rollUpDays(
  tx: Tx,
  { practiceId, zone, rules }: RolledPractice,
  { from, to }: Days,
): Promise<void> {
  for (const [table, insert] of Object.entries(tables)) {
    await tx.$executeRawUnsafe(
      `DELETE FROM ${table} WHERE practice_id = $1 AND day BETWEEN $2::date AND $3::date`,
      ...[practiceId, from, to],
    );
    const values = [practiceId, zone, from, to];
    await tx.$executeRawUnsafe(insert, ...values, ...(insert === payers ? [JSON.stringify(rules)] : []));
  }
}

/** Adds a calendar year of the practice up anew, exactly; by task_decided_idx. */
export async function rollUpYear(tx: Tx, { practiceId, zone }: RolledPractice, year: number): Promise<void> {
  await tx.$executeRaw`DELETE FROM report_payer_year WHERE practice_id = ${practiceId} AND year = ${year}`;
  const took = `greatest(0, ${seconds("t.decided_at - t.payer_received_at")})`;
  await tx.$executeRawUnsafe(
    `INSERT INTO report_payer_year (practice_id, year, payer_id, urgent, approved, partly_approved, denied, overturned, mean_s, median_s)
     SELECT $1, $5::int, t.payer_id, coalesce(t.payer_urgent, t.urgent), ${outcomes}, avg(${took}) FILTER (WHERE t.payer_received_at IS NOT NULL),
            percentile_cont(0.5) WITHIN GROUP (ORDER BY ${took}) FILTER (WHERE t.payer_received_at IS NOT NULL)
       FROM task t LEFT JOIN LATERAL (SELECT outcome FROM determination WHERE id = t.determination_id OFFSET 0) d ON true
      WHERE t.practice_id = $1 AND ${within("t.decided_at")}
      GROUP BY t.payer_id, coalesce(t.payer_urgent, t.urgent)`,
    ...[practiceId, zone, `${year}-01-01`, `${year}-12-31`, year],
  );
}

export type Progress = {
  readonly seq: bigint;
  readonly time_zone: string;
  /** Days of the practice's calendar, ISO 8601. */
  readonly days_due: readonly string[];
  readonly years_due: readonly number[];
  readonly years_are_old: boolean;
};

/** How often the exact figures of a year are made anew. */
const yearsEvery = Prisma.sql`interval '10 minutes'`;

/** Holds the practice's progress until the commit; undefined where another worker holds it, or there is none. */
export async function lockProgress(tx: Tx, practiceId: string): Promise<Progress | undefined> {
  const [row] = await tx.$queryRaw<Progress[]>`
    SELECT seq, time_zone, days_due::text[] AS days_due, years_due, years_at < clock_timestamp() - ${yearsEvery} AS years_are_old
      FROM report_progress WHERE practice_id = ${practiceId} FOR UPDATE SKIP LOCKED`;
  return row;
}

/** Where another worker has begun it meanwhile, its progress stays. */
export async function beginProgress(
  tx: Tx,
  practiceId: string,
  { zone, seq, daysDue }: { readonly zone: string; readonly seq: bigint; readonly daysDue: readonly string[] },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO report_progress (practice_id, seq, time_zone, at, days_due, years_at)
    VALUES (${practiceId}, ${seq}, ${zone}, clock_timestamp(), ${[...daysDue]}::text[]::date[], to_timestamp(0))`;
}

export type FollowedEntries = {
  readonly seq: bigint;
  readonly daysDue: readonly string[];
  readonly yearsDue: readonly number[];
};

export async function saveProgress(
  tx: Tx,
  practiceId: string,
  { seq, daysDue, yearsDue }: FollowedEntries,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE report_progress SET seq = ${seq}, at = clock_timestamp(), days_due = ${[...daysDue]}::text[]::date[],
           years_due = ${[...yearsDue]}::int[]
     WHERE practice_id = ${practiceId}`;
}

/** That the exact figures of all years that were due are made. */
export async function saveYears(tx: Tx, practiceId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE report_progress SET years_due = '{}', years_at = clock_timestamp() WHERE practice_id = ${practiceId}`;
}

/** States in which a case awaits a release. */
const held = "('transmit-held', 'void-held')";

export type Step = { readonly seq: bigint; readonly days: readonly string[] };

/** What was read of the audit log, and whether there may be more. */
export type FollowedLog = Step & { readonly mayGoOn: boolean };

/**
 * Reads on in the practice's audit log: counts what came in and how many await release, and finds the days to which the
 * cases it names contribute. Undefined where there is nothing to read.
 */
export async function followLog(
  tx: Tx,
  { practiceId, zone }: RolledPractice,
  { after, limit }: { readonly after: bigint; readonly limit: number },
): Promise<FollowedLog | undefined> {
  const [row] = await tx.$queryRawUnsafe<[{ seq: bigint | null; entries: number; days: string[] | null }]>(
    `WITH entry AS MATERIALIZED (
       SELECT seq, at, task_id, act, ${detailJson("detail")} AS detail FROM audit_entry
        WHERE chain = $1 AND seq > $3 ORDER BY seq LIMIT $4
     ), counted AS (
       INSERT INTO report_intake_day (practice_id, day, received, awaiting_change)
       SELECT $1, ${dayOf("at")}, count(*) FILTER (WHERE act = 'task.opened'),
              count(*) FILTER (WHERE detail ->> 'to' IN ${held} AND coalesce(detail ->> 'from', '') NOT IN ${held})
              - count(*) FILTER (WHERE detail ->> 'from' IN ${held} AND coalesce(detail ->> 'to', '') NOT IN ${held})
         FROM entry WHERE task_id IS NOT NULL AND (act = 'task.opened' OR detail ->> 'from' IS DISTINCT FROM detail ->> 'to')
        GROUP BY 2
       ON CONFLICT (practice_id, day) DO UPDATE
         SET received = report_intake_day.received + excluded.received,
             awaiting_change = report_intake_day.awaiting_change + excluded.awaiting_change
     ), touched AS MATERIALIZED (
       SELECT DISTINCT task_id FROM entry WHERE task_id IS NOT NULL AND act NOT LIKE 'case.%' AND act <> 'task.opened'
     ), instants AS (
       SELECT g.decided_at AS at FROM touched JOIN gate g USING (task_id)
       UNION ALL SELECT x.released_at FROM touched JOIN gate g USING (task_id) JOIN transmission x ON x.gate_id = g.id
       UNION ALL SELECT t.decided_at FROM touched JOIN task t ON t.id = touched.task_id
       UNION ALL SELECT unnest(ARRAY[d.decided_at, d.received_at]) FROM touched JOIN determination d USING (task_id)
     )
     SELECT (SELECT max(seq) FROM entry) AS seq, (SELECT count(*)::int FROM entry) AS entries,
            (SELECT array_agg(DISTINCT ${dayOf("at")}::text) FROM instants WHERE at IS NOT NULL) AS days`,
    ...[practiceId, zone, after, limit],
  );
  return row.seq === null ? undefined : { seq: row.seq, days: row.days ?? [], mayGoOn: row.entries === limit };
}

/**
 * Counts the practice's whole past from its cases, as of the entry of its audit log that is returned, with every day
 * from the first on which anything happened. Nobody else may count it meanwhile. However many cases there are, no
 * statement takes long.
 */
export async function countPast(
  tx: Tx,
  practice: RolledPractice,
  rowsMax: number = pastRowsMax,
): Promise<Step | undefined> {
  const { practiceId, zone } = practice;
  // Of two workers that find the practice at the same time, one counts.
  const [turn] = await tx.$queryRaw<[{ taken: boolean }]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended('reports ' || ${practiceId}, 0)) AS taken`;
  if (!turn.taken) return undefined;
  const [known] = await tx.$queryRaw<unknown[]>`SELECT 1 FROM report_progress WHERE practice_id = ${practiceId}`;
  if (known) return undefined;
  const { seq, days } = await readPast(tx, practice, rowsMax);
  await tx.$executeRaw`
    INSERT INTO report_intake_day (practice_id, day, received, awaiting_change)
    SELECT ${practiceId}, day::date, received, awaiting_change
      FROM unnest(${[...days.keys()]}::text[], ${[...days.values()].map(({ received }) => received)}::int[],
                  ${[...days.values()].map(({ awaitingChange }) => awaitingChange)}::int[]) AS each (day, received, awaiting_change)`;
  const [row] = await tx.$queryRawUnsafe<[{ days: string[] | null }]>(
    `SELECT array_agg(each::date::text) AS days
       FROM (SELECT least(
              (SELECT ${dayOf("decided_at")} FROM gate WHERE practice_id = $1 AND decided_at IS NOT NULL ORDER BY decided_at LIMIT 1),
              (SELECT ${dayOf("decided_at")} FROM task WHERE practice_id = $1 AND decided_at IS NOT NULL ORDER BY decided_at LIMIT 1),
              (SELECT ${dayOf("released_at")} FROM transmission WHERE practice_id = $1 ORDER BY released_at LIMIT 1)) AS day) first,
            generate_series(first.day, ${dayOf("now()")}, interval '1 day') each`,
    ...[practiceId, zone],
  );
  return { seq, days: row.days ?? [] };
}

type Past = { readonly seq: bigint; readonly days: ReadonlyMap<string, IntakeDay> };
type IntakeDay = { readonly received: number; readonly awaitingChange: number };
type PastRow = { readonly seq: bigint | null; readonly day: string | null; readonly what: keyof typeof pastChanges };

/** What each kind of row of the past changes on its day. */
const pastChanges = {
  received: { received: 1, awaitingChange: 0 },
  opened: { received: 0, awaitingChange: 1 },
  decided: { received: 0, awaitingChange: -1 },
} as const satisfies Record<string, IntakeDay>;

/** Rows of the past that one statement brings. */
const pastRowsMax = 20_000;

/** By one cursor, which sees the end of the audit log and all cases as of one moment and brings them part by part. */
async function readPast(tx: Tx, { practiceId, zone }: RolledPractice, rowsMax: number): Promise<Past> {
  await tx.$executeRawUnsafe(
    `DECLARE past NO SCROLL CURSOR FOR
     SELECT coalesce((SELECT seq FROM audit_entry WHERE chain = $1 ORDER BY seq DESC LIMIT 1), 0) AS seq,
            NULL AS day, NULL AS what
     UNION ALL SELECT NULL, ${dayOf("created_at")}::text, 'received' FROM task WHERE practice_id = $1
     UNION ALL SELECT NULL, ${dayOf("opened_at")}::text, 'opened' FROM gate
                WHERE practice_id = $1 AND (status = 'open' OR decided_at IS NOT NULL)
     UNION ALL SELECT NULL, ${dayOf("decided_at")}::text, 'decided' FROM gate
                WHERE practice_id = $1 AND status <> 'open' AND decided_at IS NOT NULL`,
    ...[practiceId, zone],
  );
  const days = new Map<string, IntakeDay>();
  let seq = 0n;
  for (;;) {
    const rows = await tx.$queryRawUnsafe<PastRow[]>(`FETCH ${rowsMax} FROM past`);
    for (const row of rows) {
      if (row.day === null) {
        seq = row.seq ?? 0n;
        continue;
      }
      days.set(row.day, sumOf(days.get(row.day), pastChanges[row.what]));
    }
    if (rows.length < rowsMax) break;
  }
  await tx.$executeRawUnsafe("CLOSE past");
  return { seq, days };
}

function sumOf(day: IntakeDay | undefined, change: IntakeDay): IntakeDay {
  if (!day) return change;
  return { received: day.received + change.received, awaitingChange: day.awaitingChange + change.awaitingChange };
}

/** Forgets everything that was added up in another calendar. */
export async function forgetReports(tx: Tx, practiceId: string): Promise<void> {
  for (const table of [...Object.keys(tables), "report_intake_day", "report_payer_year", "report_progress"])
    await tx.$executeRawUnsafe(`DELETE FROM ${table} WHERE practice_id = $1`, practiceId);
}

export type PracticeToFollow = { readonly id: string; readonly zone: string };

/** Practices whose audit log has grown, whose calendar has changed, of which something is due, or that were never added up. */
export async function practicesToFollow({ prisma }: Store): Promise<readonly PracticeToFollow[]> {
  return prisma.$queryRaw<PracticeToFollow[]>`
    SELECT p.id, p.time_zone AS zone FROM practice p LEFT JOIN report_progress r ON r.practice_id = p.id
     WHERE r.practice_id IS NULL OR r.time_zone <> p.time_zone OR cardinality(r.days_due) > 0
        OR (cardinality(r.years_due) > 0 AND r.years_at < clock_timestamp() - ${yearsEvery})
        OR r.seq < (SELECT seq FROM audit_entry WHERE chain = p.id ORDER BY seq DESC LIMIT 1)`;
}
