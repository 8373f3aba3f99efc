import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { now } from "#lib/platform/now";
import { ok, refuse, type Result } from "#lib/platform/result";
import { dayIn } from "#lib/platform/zoned-time";
import { rangeOf, type RangeInput, type RangeDays, type ReportRange } from "#lib/report/model/range";
import type { ReportId } from "#lib/report/model/reports";
import { practicesInReports, type NamedPractice } from "#lib/report/report-practices";
import {
  readDenials,
  readIntake,
  readMeasures,
  readPayers,
  readProgress,
  readReasons,
  readReviewers,
  readReviews,
  readReviewSpans,
  readSubmissions,
  type DenialRow,
  type FiguresQuery,
  type IntakeRow,
  type MeasureRow,
  type PayerRow,
  type ReasonRow,
  type ReviewerRow,
  type ReviewRow,
  type ReviewSpans,
  type SubmissionRow,
} from "#lib/report/store/figures";
import type { Store } from "#lib/db/db";
import type { Refusal } from "#lib/task/refusal";

export type ReportQuery = RangeInput & {
  readonly report: ReportId;
  /** Limits the figures to one practice. */
  readonly practiceId?: string | undefined;
  /** The IANA time zone in which the range ends today. */
  readonly zone: string;
  /** The calendar year of the payer measures; this year unless given. */
  readonly year?: number | undefined;
};

/** What each report is made of. */
type Figures = {
  readonly overview: {
    readonly intake: readonly IntakeRow[];
    readonly reviews: readonly ReviewRow[];
    readonly spans: readonly ReviewSpans[];
    readonly payers: readonly PayerRow[];
    readonly submissions: readonly SubmissionRow[];
  };
  readonly reviews: { readonly reviews: readonly ReviewRow[]; readonly spans: readonly ReviewSpans[] };
  readonly reasons: { readonly reasons: readonly ReasonRow[]; readonly reviews: readonly ReviewRow[] };
  readonly reviewers: { readonly reviewers: readonly ReviewerRow[] };
  readonly payers: { readonly payers: readonly PayerRow[] };
  readonly denials: { readonly denials: readonly DenialRow[]; readonly payers: readonly PayerRow[] };
  readonly submissions: { readonly submissions: readonly SubmissionRow[] };
  readonly measures: {
    readonly measures: readonly MeasureRow[];
    readonly year: number;
    readonly years: readonly number[];
  };
};

type Common = {
  readonly range: ReportRange & { readonly chosen?: RangeDays };
  /** Those whose reports the person may see. */
  readonly practices: readonly NamedPractice[];
  readonly practiceId?: string | undefined;
  /** When the figures were last added up; undefined where they never were. */
  readonly asOf: Date | undefined;
  /** Whether earlier days are still being added up. */
  readonly isBehind: boolean;
};

export type Report = {
  [Id in ReportId]: Common & { readonly report: Id; readonly figures: Figures[Id] };
}[ReportId];

export type ReportOf<Id extends ReportId> = Extract<Report, { readonly report: Id }>;

/**
 * A report of the practices that the person reviews for or administers: counts and durations, with no patient data. A
 * practice that is neither is `not-found`.
 */
export async function showReport(
  { actor, store }: Context<PersonActor>,
  { report, practiceId, zone, year, ...filter }: ReportQuery,
): Promise<Result<Report, Refusal>> {
  const practices = await practicesInReports({ actor, store });
  if (practiceId !== undefined && !practices.some(({ id }) => id === practiceId)) return refuse({ type: "not-found" });
  const range = rangeOf(filter, dayIn(zone, now()));
  const query = { practices: practiceId === undefined ? practices.map(({ id }) => id) : [practiceId], range };
  const { at, yearsAt, isBehind } = await readProgress(store, query.practices);
  const common = { range, practices, practiceId, asOf: report === "measures" ? yearsAt : at, isBehind };
  const figures = await readers[report](store, query, year ?? Number(range.to.slice(0, 4)));
  // Safe because a report's figures are those of its reader.
  return ok({ ...common, report, figures } as Report);
}

const readers: { [Id in ReportId]: (store: Store, query: FiguresQuery, year: number) => Promise<Figures[Id]> } = {
  overview: async (store, query) => {
    const [intake, reviews, spans, payers, submissions] = await Promise.all([
      readIntake(store, query),
      readReviews(store, query),
      readReviewSpans(store, query),
      readPayers(store, query),
      readSubmissions(store, query),
    ]);
    return { intake, reviews, spans, payers, submissions };
  },
  reviews: async (store, query) => {
    const [reviews, spans] = await Promise.all([readReviews(store, query), readReviewSpans(store, query)]);
    return { reviews, spans };
  },
  reasons: async (store, query) => {
    const [reasons, reviews] = await Promise.all([readReasons(store, query), readReviews(store, query)]);
    return { reasons, reviews };
  },
  reviewers: async (store, query) => ({ reviewers: await readReviewers(store, query) }),
  payers: async (store, query) => ({ payers: await readPayers(store, query) }),
  denials: async (store, query) => {
    const [denials, payers] = await Promise.all([readDenials(store, query), readPayers(store, query)]);
    return { denials, payers };
  },
  submissions: async (store, query) => ({ submissions: await readSubmissions(store, query) }),
  measures: async (store, { practices }, year) => {
    const { rows, years } = await readMeasures(store, { practices, year });
    return { measures: rows, year, years };
  },
};
