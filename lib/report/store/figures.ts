import type { Store } from "#lib/db/db";
import type { ReportRange } from "#lib/report/model/range";

/** Whose figures, and of which days: those of the range and those before it. */
export type FiguresQuery = { readonly practices: readonly string[]; readonly range: ReportRange };

/** `now` for the days of the range, `before` for those before it. */
export type Period = "now" | "before";

const period = "CASE WHEN day >= $3::date THEN 'now' ELSE 'before' END AS period";
const inBoth = "practice_id = ANY ($1::text[]) AND day BETWEEN $2::date AND $4::date";

async function read<Row extends object>(
  { pool }: Store,
  { practices, range }: FiguresQuery,
  text: string,
  ...more: readonly unknown[]
): Promise<readonly Row[]> {
  const values = [practices, range.beforeFrom, range.from, range.to, ...more];
  return (await pool.query<Row>(text, values)).rows;
}

const sums = (columns: readonly string[]) => columns.map((column) => `sum(${column})::int AS ${column}`).join(", ");

export type IntakeRow = { readonly day: string; readonly received: number; readonly awaiting: number };

/** Each day of both periods on which anything changed, with how many cases awaited release at its end. */
export async function readIntake(
  { pool }: Store,
  { practices, range: { beforeFrom, to } }: FiguresQuery,
): Promise<readonly IntakeRow[]> {
  // Everything earlier stands as one day, right before the first.
  const day = "greatest(day, $2::date - 1)";
  const { rows } = await pool.query<IntakeRow>(
    `SELECT day::text, received, awaiting FROM (
       SELECT ${day} AS day, sum(received)::int AS received, (sum(sum(awaiting_change)) OVER (ORDER BY ${day}))::int AS awaiting
         FROM report_intake_day WHERE practice_id = ANY ($1::text[]) AND day <= $3::date GROUP BY 1) each ORDER BY day`,
    [practices, beforeFrom, to],
  );
  return rows;
}

type InPeriod = { readonly period: Period };
type Classes = { readonly classes: readonly number[]; readonly counts: readonly number[] };

/**
 * The classes of each group as one row, so that what is read stays small. They are unnested side by side in the select
 * list, since a function in FROM is called for each row: twice the time for a year of twenty practices.
 */
const classesBy = (table: string, by: { readonly name: string; readonly value: string }) => `
  SELECT CASE WHEN is_now THEN 'now' ELSE 'before' END AS period, ${by.name},
         array_agg(class ORDER BY class) AS classes, array_agg(n ORDER BY class) AS counts
    FROM (SELECT is_now, ${by.name}, class, sum(n)::int AS n
            FROM (SELECT day >= $3::date AS is_now, ${by.value} AS ${by.name},
                         unnest(span_classes) AS class, unnest(span_counts) AS n
                    FROM ${table} WHERE ${inBoth}) spans
           GROUP BY is_now, ${by.name}, class) each
   GROUP BY is_now, ${by.name}`;

export type ReviewRow = InPeriod & {
  readonly channel_id: string;
  readonly name: string;
  readonly released: number;
  readonly declined: number;
  readonly sent_back: number;
  readonly expired: number;
};

export function readReviews(store: Store, query: FiguresQuery): Promise<readonly ReviewRow[]> {
  return read<ReviewRow>(
    store,
    query,
    `SELECT each.*, c.name FROM (
       SELECT ${period}, channel_id, ${sums(["released", "declined", "sent_back", "expired"])}
         FROM report_review_day WHERE ${inBoth} GROUP BY 1, 2) each
       JOIN channel c ON c.id = each.channel_id ORDER BY c.name, c.id`,
  );
}

export type ReviewSpans = InPeriod & Classes & { readonly point: number };

/** From opening a gate to its answer, by the point of the chart; those before the range are at point 0 and below. */
export function readReviewSpans(store: Store, query: FiguresQuery): Promise<readonly ReviewSpans[]> {
  const point = { name: "point", value: "($4::date - day + $5::int) / $5::int" };
  return read<ReviewSpans>(store, query, `${classesBy("report_review_day", point)} ORDER BY point`, query.range.step);
}

export type ReasonRow = InPeriod & {
  readonly channel_id: string;
  readonly name: string;
  readonly status: "declined" | "sent-back";
  readonly reason: string;
  readonly cases: number;
};

export function readReasons(store: Store, query: FiguresQuery): Promise<readonly ReasonRow[]> {
  return read<ReasonRow>(
    store,
    query,
    `SELECT each.*, c.name FROM (
       SELECT ${period}, channel_id, status, reason, sum(cases)::int AS cases
         FROM report_reason_day WHERE ${inBoth} GROUP BY 1, 2, 3, 4) each
       JOIN channel c ON c.id = each.channel_id ORDER BY c.name, c.id, each.status, each.cases DESC, each.reason`,
  );
}

export type ReviewerRow = InPeriod &
  Classes & {
    readonly person_id: string;
    readonly name: string;
    readonly released: number;
    readonly declined: number;
    readonly sent_back: number;
    /** Releases whose first sight of the gate is known, and those within 4 s of it. */
    readonly seen: number;
    readonly quick: number;
  };

export function readReviewers(store: Store, query: FiguresQuery): Promise<readonly ReviewerRow[]> {
  return read<ReviewerRow>(
    store,
    query,
    `WITH spans AS (${classesBy("report_reviewer_day", { name: "person_id", value: "person_id" })})
     SELECT each.*, p.name, coalesce(spans.classes, '{}') AS classes, coalesce(spans.counts, '{}') AS counts FROM (
       SELECT ${period}, person_id, ${sums(["released", "declined", "sent_back", "seen", "quick"])}
         FROM report_reviewer_day WHERE ${inBoth} GROUP BY 1, 2) each
       JOIN person p ON p.id = each.person_id LEFT JOIN spans USING (period, person_id) ORDER BY p.name, p.id`,
  );
}

/** What each payer is called where these practices list it, or else where they are connected to it. */
const payerNames = `
  SELECT payer_id, coalesce(max(listed), max(connected)) AS name FROM (
    SELECT payer_id, name AS listed, NULL AS connected FROM payer WHERE practice_id = ANY ($1::text[])
    UNION ALL
    (SELECT DISTINCT ON (r.practice_id, r.payer_id) r.payer_id, NULL, r.payer_name FROM route r
      WHERE r.practice_id = ANY ($1::text[]) ORDER BY r.practice_id, r.payer_id, r.version DESC)) known GROUP BY payer_id`;

type Outcomes = {
  readonly approved: number;
  readonly partly_approved: number;
  readonly denied: number;
  readonly overturned: number;
};

export type PayerRow = InPeriod &
  Classes &
  Outcomes & {
    readonly payer_id: string;
    readonly name: string | null;
    readonly with_deadline: number;
    readonly late: number;
  };

export function readPayers(store: Store, query: FiguresQuery): Promise<readonly PayerRow[]> {
  const columns = ["approved", "partly_approved", "denied", "overturned", "with_deadline", "late"];
  return read<PayerRow>(
    store,
    query,
    `WITH spans AS (${classesBy("report_payer_day", { name: "payer_id", value: "payer_id" })}),
          named AS (${payerNames})
     SELECT each.*, named.name, coalesce(spans.classes, '{}') AS classes, coalesce(spans.counts, '{}') AS counts FROM (
       SELECT ${period}, payer_id, ${sums(columns)} FROM report_payer_day WHERE ${inBoth} GROUP BY 1, 2) each
       LEFT JOIN named USING (payer_id) LEFT JOIN spans USING (period, payer_id) ORDER BY named.name NULLS LAST, each.payer_id`,
  );
}

export type DenialRow = InPeriod & {
  readonly payer_id: string;
  readonly name: string | null;
  /** A reason code of the payer; empty without one. */
  readonly reason: string;
  readonly denied: number;
  readonly overturned: number;
};

export function readDenials(store: Store, query: FiguresQuery): Promise<readonly DenialRow[]> {
  return read<DenialRow>(
    store,
    query,
    `WITH named AS (${payerNames})
     SELECT each.*, named.name FROM (
       SELECT ${period}, payer_id, reason, ${sums(["denied", "overturned"])}
         FROM report_denial_day WHERE ${inBoth} GROUP BY 1, 2, 3) each
       LEFT JOIN named USING (payer_id) ORDER BY named.name NULLS LAST, each.payer_id, each.denied DESC, each.reason`,
  );
}

export type SubmissionRow = InPeriod & {
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

export function readSubmissions(store: Store, query: FiguresQuery): Promise<readonly SubmissionRow[]> {
  const columns = ["released", "received", "refused", "not_received", "unconfirmed", "retried"];
  return read<SubmissionRow>(
    store,
    query,
    `WITH named AS (${payerNames})
     SELECT each.*, named.name FROM (
       SELECT ${period}, payer_id, connector, ${sums(columns)}
         FROM report_submission_day WHERE ${inBoth} GROUP BY 1, 2, 3) each
       LEFT JOIN named USING (payer_id) ORDER BY named.name NULLS LAST, each.payer_id, each.connector`,
  );
}

export type MeasureRow = Outcomes & {
  readonly payer_id: string;
  readonly name: string | null;
  readonly urgent: boolean;
  readonly mean_s: number | null;
  /** Empty where the figures of several practices stand together, whose medians make none of both. */
  readonly median_s: number | null;
};

/** A calendar year of each payer; and the years there are figures of, the newest first. */
export async function readMeasures(
  { pool }: Store,
  { practices, year }: { readonly practices: readonly string[]; readonly year: number },
): Promise<{ readonly rows: readonly MeasureRow[]; readonly years: readonly number[] }> {
  const decided = "approved + partly_approved + denied";
  const { rows } = await pool.query<MeasureRow>(
    `WITH named AS (${payerNames})
     SELECT each.*, named.name FROM (
       SELECT payer_id, urgent, ${sums(["approved", "partly_approved", "denied", "overturned"])},
              sum(mean_s * (${decided})) / nullif(sum(${decided}) FILTER (WHERE mean_s IS NOT NULL), 0) AS mean_s,
              CASE WHEN count(*) = 1 THEN max(median_s) END AS median_s
         FROM report_payer_year WHERE practice_id = ANY ($1::text[]) AND year = $2 GROUP BY 1, 2) each
       LEFT JOIN named USING (payer_id) ORDER BY named.name NULLS LAST, each.payer_id, each.urgent`,
    [practices, year],
  );
  const years = await pool.query<{ year: number }>(
    "SELECT DISTINCT year FROM report_payer_year WHERE practice_id = ANY ($1::text[]) ORDER BY year DESC",
    [practices],
  );
  return { rows, years: years.rows.map((row) => row.year) };
}

/**
 * Until when all that was recorded is in the figures: the first entry that one of these practices has not counted, or,
 * where each counted everything, when one was last added up. The figures of years are made more rarely, so they have
 * an instant of their own. And whether earlier days are still due.
 */
export async function readProgress(
  { pool }: Store,
  practices: readonly string[],
): Promise<{ readonly at: Date | undefined; readonly yearsAt: Date | undefined; readonly isBehind: boolean }> {
  const { rows } = await pool.query<{ at: Date | null; years_at: Date | null; behind: boolean | null }>(
    `SELECT coalesce(min(next.at), max(r.at)) AS at,
            coalesce(min(CASE WHEN cardinality(r.years_due) > 0 THEN r.years_at ELSE next.at END), max(r.at)) AS years_at,
            bool_or(r.practice_id IS NULL OR cardinality(r.days_due) > 2) AS behind
       FROM unnest($1::text[]) AS named (id) LEFT JOIN report_progress r ON r.practice_id = named.id
       LEFT JOIN LATERAL (SELECT at FROM audit_entry WHERE chain = r.practice_id AND seq > r.seq ORDER BY seq LIMIT 1) next ON true`,
    [practices],
  );
  const [progress] = rows;
  // A practice whose years were never made has the instant 0.
  const yearsAt = progress?.years_at?.getTime() === 0 ? undefined : (progress?.years_at ?? undefined);
  return { at: progress?.at ?? undefined, yearsAt, isBehind: progress?.behind ?? false };
}
