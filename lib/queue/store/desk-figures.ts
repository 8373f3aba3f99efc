import type { PoolClient } from "pg";
import type { DecisionTime } from "#lib/task/model/decision-times";
import { isOpen } from "#lib/task/store/case-states";
import { type Store, unscoped } from "#lib/db/db";
import { scopeStatement } from "#lib/db/scope";

/** Whose figures, of how many days up to now, and in whose calendar; a period is that many days, the last ends today. */
export type FiguresQuery = {
  readonly practices: readonly string[];
  readonly days: number;
  readonly periodDays: number;
  readonly zone: string;
  readonly rules: readonly DecisionTime[];
};

/** The middle of a set of spans and what nine of ten do not exceed, in seconds; null where the set is empty. */
type Spans = { readonly p50_s: number | null; readonly p90_s: number | null };

export type WaitingRow = Spans & {
  /** Empty for all of them together. */
  readonly practice_id: string | null;
  readonly name: string | null;
  readonly waiting: number;
  readonly oldest_s: number | null;
  /** How many have waited under 1 h, 4 h, 1 d, 3 d, 7 d, and longer. */
  readonly ages: readonly number[];
};

export type PeriodRow = Spans & {
  /** How many periods ago; empty for all of them together. */
  readonly back: number | null;
  readonly decided: number;
  readonly expired: number;
  /** Left the queue, however. */
  readonly gone: number;
};

export type OpenedRow = { readonly back: number; readonly opened: number };

export type ChannelRow = {
  readonly channel_id: string;
  readonly name: string;
  readonly released: number;
  readonly declined: number;
  readonly sent_back: number;
  readonly expired: number;
};

export type ReasonRow = {
  readonly channel_id: string;
  readonly name: string;
  readonly status: "declined" | "sent-back";
  /** Why it was declined, by code; what a question was about, as the pointer of a member or its list; or empty. */
  readonly reason: string;
  readonly cases: number;
};

export type ReviewerRow = Spans & {
  readonly person_id: string;
  readonly name: string;
  readonly released: number;
  readonly declined: number;
  readonly sent_back: number;
  /** Releases whose first sight of the gate is known, and those given within 4 s of it. */
  readonly seen: number;
  readonly quick: number;
  readonly assigned: number;
};

export type PayerRow = Spans & {
  readonly payer_id: string;
  readonly name: string | null;
  readonly decided: number;
  /** Of those decided, with a legal clock that is known, and after it. */
  readonly clocked: number;
  readonly late: number;
  /** At the payer now, and past its time. */
  readonly waiting: number;
  readonly overdue: number;
};

export type TransmissionRow = {
  readonly payer_id: string;
  readonly name: string | null;
  readonly connector: string;
  readonly released: number;
  readonly received: number;
  readonly refused: number;
  readonly not_received: number;
  readonly unconfirmed: number;
  readonly retried: number;
};

export type Figures = {
  readonly now: Date;
  /** The first day of the window, as the calendar calls it. */
  readonly today: string;
  readonly waiting: readonly WaitingRow[];
  readonly periods: readonly PeriodRow[];
  readonly opened: readonly OpenedRow[];
  readonly channels: readonly ChannelRow[];
  readonly reasons: readonly ReasonRow[];
  readonly reviewers: readonly ReviewerRow[];
  readonly payers: readonly PayerRow[];
  readonly transmissions: readonly TransmissionRow[];
};

/** Everything the health page counts, as of one instant. Holds nothing of any patient. */
export async function loadFigures(store: Store, asked: FiguresQuery): Promise<Figures> {
  const client = await unscoped(store).pool.connect();
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    if (store.scope) await client.query(scopeStatement(store.scope));
    // How much a window holds differs by orders of magnitude, so each is planned for itself.
    await client.query("SET LOCAL plan_cache_mode = force_custom_plan");
    const figures = await readAll(client, asked);
    await client.query("COMMIT");
    client.release();
    return figures;
  } catch (error) {
    // A connection whose transaction failed is not given to anybody else.
    client.release(true);
    throw error;
  }
}

async function readAll(
  client: PoolClient,
  { practices, days, periodDays, zone, rules }: FiguresQuery,
): Promise<Figures> {
  const { rows: times } = await client.query<{ now: Date; today: string; since: Date }>(
    `SELECT now() AS now, (now() AT TIME ZONE $1)::date::text AS today,
            ((now() AT TIME ZONE $1)::date - ($2::int - 1))::timestamp AT TIME ZONE $1 AS since`,
    [zone, days],
  );
  const [time] = times;
  if (!time) throw new Error("A query without a table has one row.");
  const { now, today, since } = time;
  const read = async <Row extends object>(text: string, ...more: readonly unknown[]): Promise<readonly Row[]> =>
    (await client.query<Row>(text, [practices, ...more])).rows;
  return {
    now,
    today,
    waiting: await read<WaitingRow>(waitingText),
    periods: await read<PeriodRow>(periodsText, since, zone, periodDays),
    opened: await read<OpenedRow>(openedText, since, zone, periodDays),
    channels: await read<ChannelRow>(channelsText, since),
    reasons: await read<ReasonRow>(reasonsText, since),
    reviewers: await read<ReviewerRow>(reviewersText, since),
    payers: await read<PayerRow>(payersText, since, JSON.stringify(rules)),
    transmissions: await read<TransmissionRow>(transmissionsText, since),
  };
}

const spans = (of: string, filter = "true") => `
  percentile_cont(0.5) WITHIN GROUP (ORDER BY ${of}) FILTER (WHERE ${filter}) AS p50_s,
  percentile_cont(0.9) WITHIN GROUP (ORDER BY ${of}) FILTER (WHERE ${filter}) AS p90_s`;
/** Each by its id: without `OFFSET`, whoever plans a long window would read all tasks there ever were beside it. */
const taskOf = (of: "g" | "x") => `
    JOIN LATERAL (SELECT practice_id, payer_id, channel_id FROM task WHERE id = ${of}.task_id OFFSET 0) t ON true`;
const seconds = (span: string) => `extract(epoch FROM ${span})::float8`;
const answered = "('released', 'declined', 'sent-back')";

/** How many periods before the one that ends today an instant lies. */
const backOf = (at: string) => `((now() AT TIME ZONE $3)::date - (${at} AT TIME ZONE $3)::date) / $4::int`;

const age = seconds("now() - g.opened_at");
const ageLimits = [0, 1, 4, 24, 72, 168].map((hours) => hours * 3600);
const ageCounts = ageLimits.map((from, index) => {
  const to = ageLimits[index + 1];
  return `count(*) FILTER (WHERE ${age} >= ${from}${to === undefined ? "" : ` AND ${age} < ${to}`})::int`;
});

/** By gate_open_expires_at_idx. */
const waitingText = `
  SELECT g.practice_id, p.name, count(*)::int AS waiting, max(${age}) AS oldest_s, ${spans(age)},
         ARRAY[${ageCounts.join(", ")}] AS ages
    FROM gate g JOIN practice p ON p.id = g.practice_id
   WHERE g.status = 'open' AND g.practice_id = ANY ($1::text[])
   GROUP BY GROUPING SETS ((g.practice_id, p.name), ()) ORDER BY p.name, g.practice_id`;

/** By gate_decided_idx alone. */
const periodsText = `
  SELECT back, count(*) FILTER (WHERE status IN ${answered})::int AS decided,
         count(*) FILTER (WHERE status = 'expired')::int AS expired, count(*)::int AS gone,
         ${spans("took", `status IN ${answered}`)}
    FROM (SELECT g.status, ${seconds("g.decided_at - g.opened_at")} AS took, ${backOf("g.decided_at")} AS back
            FROM gate g WHERE g.practice_id = ANY ($1::text[]) AND g.decided_at >= $2) gone
   GROUP BY GROUPING SETS ((back), ()) ORDER BY back`;

/** Whatever was opened in the window is open or was answered in it: by gate_open_expires_at_idx and gate_decided_idx. */
const openedText = `
  SELECT ${backOf("opened_at")} AS back, count(*)::int AS opened
    FROM (SELECT g.opened_at FROM gate g WHERE g.status = 'open' AND g.practice_id = ANY ($1::text[])
           UNION ALL
          SELECT g.opened_at FROM gate g WHERE g.practice_id = ANY ($1::text[]) AND g.decided_at >= $2) opened
   WHERE opened_at >= $2 GROUP BY 1 ORDER BY 1`;

/** By gate_decided_idx and the tasks' ids. */
const channelsText = `
  SELECT t.channel_id, c.name, count(*) FILTER (WHERE g.status = 'released')::int AS released,
         count(*) FILTER (WHERE g.status = 'declined')::int AS declined,
         count(*) FILTER (WHERE g.status = 'sent-back')::int AS sent_back,
         count(*) FILTER (WHERE g.status = 'expired')::int AS expired
    FROM gate g ${taskOf("g")} JOIN channel c ON c.id = t.channel_id
   WHERE g.practice_id = ANY ($1::text[]) AND g.decided_at >= $2 AND g.status IN ('released', 'declined', 'sent-back', 'expired')
   GROUP BY t.channel_id, c.name ORDER BY c.name, t.channel_id`;

/** The same. A question about several members counts with each of them. */
const reasonsText = `
  SELECT t.channel_id, c.name, g.status, why.reason, count(*)::int AS cases
    FROM gate g ${taskOf("g")} JOIN channel c ON c.id = t.channel_id
   CROSS JOIN LATERAL (
      SELECT coalesce(g.reason_code, 'other') WHERE g.status = 'declined' UNION ALL
      SELECT DISTINCT regexp_replace(field, '/[0-9]+$', '')
        FROM unnest(CASE WHEN cardinality(g.fields) > 0 THEN g.fields ELSE ARRAY[''] END) field
       WHERE g.status = 'sent-back') why (reason)
   WHERE g.practice_id = ANY ($1::text[]) AND g.decided_at >= $2 AND g.status IN ('declined', 'sent-back')
   GROUP BY t.channel_id, c.name, g.status, why.reason
   ORDER BY c.name, t.channel_id, g.status, cases DESC, why.reason`;

/** By gate_decided_idx, the votes' gates and the openings' keys; what is assigned by task_assignee_idx. */
const reviewersText = `
  SELECT p.id AS person_id, p.name, coalesce(released, 0) AS released, coalesce(declined, 0) AS declined,
         coalesce(sent_back, 0) AS sent_back, coalesce(seen, 0) AS seen, coalesce(quick, 0) AS quick,
         coalesce(assigned, 0) AS assigned, p50_s, p90_s
    FROM (SELECT v.person_id, count(*) FILTER (WHERE v.answer = 'release')::int AS released,
                 count(*) FILTER (WHERE v.answer = 'decline')::int AS declined,
                 count(*) FILTER (WHERE v.answer = 'send-back')::int AS sent_back,
                 count(o.at) FILTER (WHERE v.answer = 'release')::int AS seen,
                 count(*) FILTER (WHERE v.answer = 'release' AND v.at - o.at < interval '4 seconds')::int AS quick,
                 ${spans(seconds("v.at - g.opened_at"))}
            FROM gate g
            JOIN LATERAL (SELECT * FROM vote WHERE gate_id = g.id OFFSET 0) v ON true
            LEFT JOIN LATERAL (SELECT * FROM gate_opened WHERE gate_id = g.id AND person_id = v.person_id OFFSET 0) o ON true
           WHERE g.practice_id = ANY ($1::text[]) AND g.decided_at >= $2
           GROUP BY v.person_id) voted
    FULL JOIN (SELECT t.assignee_id AS person_id, count(*)::int AS assigned FROM task t
                WHERE t.practice_id = ANY ($1::text[]) AND t.assignee_id IS NOT NULL
                  AND ${isOpen}
                GROUP BY t.assignee_id) held USING (person_id)
    JOIN person p ON p.id = person_id ORDER BY p.name, p.id`;

/** How each practice reaches each payer now. */
const ways = `
  SELECT DISTINCT ON (r.practice_id, r.payer_id) r.practice_id, r.payer_id, r.payer_name, r.line_of_business
    FROM route r WHERE r.practice_id = ANY ($1::text[]) ORDER BY r.practice_id, r.payer_id, r.version DESC`;

/** The last instant in time under the rule in force on the day of receipt, as `clockOf` reads it. */
const dueAt = `
  SELECT CASE WHEN rule.within ? 'hours' THEN t.payer_received_at + make_interval(hours => (rule.within ->> 'hours')::int)
              ELSE (day + (rule.within ->> 'calendarDays')::int + 1)::timestamp AT TIME ZONE p.time_zone END AS due_at
    FROM jsonb_to_recordset($3::jsonb) AS rule ("lineOfBusiness" text, urgency text, within jsonb, "from" date, "to" date),
         CAST(t.payer_received_at AT TIME ZONE p.time_zone AS date) AS day
   WHERE rule."lineOfBusiness" = way.line_of_business AND rule.urgency = CASE WHEN t.urgent THEN 'expedited' ELSE 'standard' END
     AND day >= rule."from" AND (rule."to" IS NULL OR day <= rule."to") LIMIT 1`;

/** By task_decided_idx alone, and what is at the payer by task_open_payer_idx. */
const payersText = `
  WITH way AS (${ways})
  SELECT payer_id, (SELECT max(way.payer_name) FROM way
                     WHERE way.payer_id = coalesce(turned.payer_id, waits.payer_id)) AS name,
         coalesce(decided, 0) AS decided, coalesce(clocked, 0) AS clocked, coalesce(late, 0) AS late,
         coalesce(waiting, 0) AS waiting, coalesce(overdue, 0) AS overdue, p50_s, p90_s
    FROM (SELECT t.payer_id, count(*)::int AS decided, count(due.due_at)::int AS clocked,
                 count(*) FILTER (WHERE t.decided_at >= due.due_at)::int AS late,
                 ${spans(`greatest(0, ${seconds("t.decided_at - t.payer_received_at")})`)}
            FROM task t JOIN practice p ON p.id = t.practice_id
            LEFT JOIN way ON way.practice_id = t.practice_id AND way.payer_id = t.payer_id
            LEFT JOIN LATERAL (${dueAt}) due ON true
           WHERE t.practice_id = ANY ($1::text[]) AND t.decided_at >= $2 AND t.payer_received_at IS NOT NULL
           GROUP BY t.payer_id) turned
    FULL JOIN (SELECT t.payer_id, count(*)::int AS waiting, count(*) FILTER (WHERE t.payer_due_at < now())::int AS overdue
                 FROM task t WHERE t.practice_id = ANY ($1::text[]) AND t.state IN ('transmitted', 'payer-needs-information')
                GROUP BY t.payer_id) waits USING (payer_id)
   ORDER BY name NULLS LAST, payer_id`;

/** By transmission_practice_id_released_at_idx, and the gates' and tasks' ids. */
const transmissionsText = `
  WITH way AS (${ways})
  SELECT t.payer_id, max(way.payer_name) AS name, g.connector, count(*)::int AS released,
         count(*) FILTER (WHERE x.result = 'received')::int AS received,
         count(*) FILTER (WHERE x.result = 'refused')::int AS refused,
         count(*) FILTER (WHERE x.result = 'not-received')::int AS not_received,
         count(*) FILTER (WHERE x.result = 'unconfirmed')::int AS unconfirmed,
         count(*) FILTER (WHERE x.attempt > 1)::int AS retried
    FROM transmission x
    JOIN LATERAL (SELECT connector FROM gate WHERE id = x.gate_id OFFSET 0) g ON true ${taskOf("x")}
    LEFT JOIN way ON way.practice_id = t.practice_id AND way.payer_id = t.payer_id
   WHERE x.practice_id = ANY ($1::text[]) AND x.released_at >= $2
   GROUP BY t.payer_id, g.connector ORDER BY name NULLS LAST, t.payer_id, g.connector`;
