import { declineReasons } from "#lib/messages/labels/decline-reasons";
import { dayPlus, pointsOf } from "#lib/report/model/range";
import type { ReportId } from "#lib/report/model/reports";
import { spansOf, sumOf } from "#lib/report/model/totals";
import type { Report, ReportOf } from "#lib/report/show-report";
import {
  approvedOf,
  decidedOf,
  denialFigures,
  denialTable,
  failedShare,
  measureFigures,
  measureTable,
  payerFigures,
  payerTable,
  submissionFigures,
  submissionTable,
} from "./payer-reports.ts";
import {
  both,
  count,
  type Figure,
  figureTable,
  inNow,
  type ReportTable,
  share,
  span,
  table,
  text,
} from "./report-values.ts";

/** Why there is no report; whoever administers every practice can only create the first. */
export const noReportText = (isOverall: boolean): string =>
  `Reports cover the practices you review for or administer. ${isOverall ? "There is no practice yet." : "An admin can add you to one."}`;

/** How the measures of a year are added up, and why a row can lack its median. */
export const measuresAddedUpText =
  "They are added up every ten minutes or so, later than other reports. A payer of several practices has a median in each practice alone.";

/** Said above figures that include releases of test data by nobody; undefined where there are none. */
export function autoReleasedInReport(report: Report): string | undefined {
  const names = namesWithAutoReleases(report);
  if (names.length === 0) return undefined;
  const list = new Intl.ListFormat("en").format(names);
  return `Automatic review of test requests is or was on for ${list}. Releases that no person made are counted here.`;
}

function namesWithAutoReleases({ practices, practiceId }: Report): readonly string[] {
  return practices
    .filter(({ id, hasAutoReleases }) => hasAutoReleases && (practiceId ?? id) === id)
    .map(({ name }) => name);
}

/**
 * The table to save. Where figures include releases that no person made, each row names the practices they are of, so
 * that no row is taken for people's work once it stands alone.
 */
export function savedTableOf(report: Report): ReportTable {
  const { columns, rows } = tableOf(report);
  const names = namesWithAutoReleases(report);
  if (names.length === 0) return { columns, rows };
  const column = { name: "Automatic review of test requests is or was on for", kind: "text" } as const;
  return { columns: [...columns, column], rows: rows.map((row) => [...row, text(names.join("; "))]) };
}

/** What a report is called, and the question it answers. */
export const reportTexts: Readonly<Record<ReportId, { readonly title: string; readonly question: string }>> = {
  overview: { title: "Overview", question: "Is the work keeping up with what comes in?" },
  reviews: { title: "Reviews", question: "How fast do reviewers decide, and what do they decide?" },
  reasons: { title: "Reasons", question: "Why are requests declined or sent back to the agent?" },
  reviewers: { title: "Reviewers", question: "How is the work shared?" },
  payers: { title: "Payers", question: "How long do payers take, and what do they decide?" },
  denials: { title: "Denials", question: "Why do payers deny, and which denials are overturned?" },
  submissions: { title: "Submissions", question: "What fails on the way to the payer?" },
  measures: { title: "Payer measures", question: "What would each payer publish about our requests?" },
};

/** The figures people ask for first. */
export function headlineOf(report: Report): readonly Figure[] {
  switch (report.report) {
    case "overview":
      return overviewFigures(report);
    case "reviews":
      return reviewFigures(report);
    case "reasons":
      return reasonFigures(report);
    case "reviewers":
      return reviewerFigures(report);
    case "payers":
      return payerFigures(report);
    case "denials":
      return denialFigures(report);
    case "submissions":
      return submissionFigures(report);
    case "measures":
      return measureFigures(report);
  }
}

/** The one table of a report, for its page and for CSV. */
export function tableOf(report: Report): ReportTable {
  switch (report.report) {
    case "overview":
      return figureTable(overviewFigures(report));
    case "reviews":
      return reviewTable(report);
    case "reasons":
      return reasonTable(report);
    case "reviewers":
      return reviewerTable(report);
    case "payers":
      return payerTable(report);
    case "denials":
      return denialTable(report);
    case "submissions":
      return submissionTable(report);
    case "measures":
      return measureTable(report);
  }
}

type Answers = {
  readonly released: number;
  readonly declined: number;
  readonly sent_back: number;
  readonly expired?: number;
};
const answersOf = ({ released, declined, sent_back }: Answers) => released + declined + sent_back;
const leftOf = (row: Answers) => answersOf(row) + (row.expired ?? 0);

/** How many cases awaited release at the end of a day, from the days on which it changed. */
function awaitingAt(intake: ReportOf<"overview">["figures"]["intake"], day: string): number {
  return intake.findLast((row) => row.day <= day)?.awaiting ?? 0;
}

function overviewFigures({ figures, range }: ReportOf<"overview">): readonly Figure[] {
  const { intake, reviews, spans, payers, submissions } = figures;
  const receivedIn = (from: string, to: string) =>
    count(sumOf(intake, ({ day, received }) => (day >= from && day <= to ? received : 0)));
  const lastBefore = dayPlus(range.from, -1);
  const decided = (rows: typeof payers) => sumOf(rows, decidedOf);
  return [
    {
      name: "Requests received",
      now: receivedIn(range.from, range.to),
      before: receivedIn(range.beforeFrom, lastBefore),
    },
    {
      name: "Awaiting release at the end",
      now: count(awaitingAt(intake, range.to)),
      before: count(awaitingAt(intake, lastBefore)),
    },
    { name: "Decided by reviewers", ...both(reviews, (rows) => count(sumOf(rows, answersOf))) },
    { name: "Median time to a decision", ...both(spans, (rows) => span(spansOf(rows).median)) },
    { name: "Decided by payers", ...both(payers, (rows) => count(decided(rows))) },
    { name: "Approved by payers", ...both(payers, (rows) => share(sumOf(rows, approvedOf), decided(rows))) },
    { name: "Median payer time", ...both(payers, (rows) => span(spansOf(rows).median)) },
    { name: "Failed submissions", ...both(submissions, failedShare) },
  ];
}

function reviewFigures({ figures: { reviews, spans } }: ReportOf<"reviews">): readonly Figure[] {
  return [
    { name: "Decided", ...both(reviews, (rows) => count(sumOf(rows, answersOf))) },
    { name: "Median time to a decision", ...both(spans, (rows) => span(spansOf(rows).median)) },
    { name: "90th percentile", ...both(spans, (rows) => span(spansOf(rows).p90)) },
    {
      name: "Expired undecided",
      ...both(reviews, (rows) =>
        share(
          sumOf(rows, ({ expired }) => expired),
          sumOf(rows, leftOf),
        ),
      ),
    },
  ];
}

function reviewTable({ figures: { reviews } }: ReportOf<"reviews">): ReportTable {
  const rows = reviews.filter(inNow).map((row) => {
    const of = leftOf(row);
    return [
      ...[text(row.name), count(of), share(row.released, of), share(row.declined, of)],
      ...[share(row.sent_back, of), share(row.expired, of)],
    ];
  });
  return table(
    {
      Channel: "text",
      "Left the queue": "count",
      Released: "share",
      Declined: "share",
      "Information requested": "share",
      Expired: "share",
    },
    rows,
  );
}

function reasonFigures({ figures: { reviews } }: ReportOf<"reasons">): readonly Figure[] {
  return [
    {
      name: "Declined",
      ...both(reviews, (rows) =>
        share(
          sumOf(rows, ({ declined }) => declined),
          sumOf(rows, answersOf),
        ),
      ),
    },
    {
      name: "Information requested",
      ...both(reviews, (rows) =>
        share(
          sumOf(rows, ({ sent_back: sentBack }) => sentBack),
          sumOf(rows, answersOf),
        ),
      ),
    },
  ];
}

const answerNames = { declined: "Declined", "sent-back": "Information requested" } as const;

function reasonTable({ figures: { reasons, reviews } }: ReportOf<"reasons">): ReportTable {
  const answers = (id: string) =>
    sumOf(
      reviews.filter((row) => inNow(row) && row.channel_id === id),
      answersOf,
    );
  const rows = reasons
    .filter(inNow)
    .map(({ channel_id, name, status, reason, cases }) => [
      ...[text(name), text(answerNames[status]), text(reasonText(status, reason))],
      share(cases, answers(channel_id)),
    ]);
  return table({ Channel: "text", Decision: "text", Reason: "text", "Share of decisions": "share" }, rows);
}

function reviewerFigures({ figures: { reviewers } }: ReportOf<"reviewers">): readonly Figure[] {
  return [
    { name: "Decisions", ...both(reviewers, (rows) => count(sumOf(rows, answersOf))) },
    { name: "Reviewers who decided", ...both(reviewers, (rows) => count(rows.length)) },
    { name: "Median time to a decision", ...both(reviewers, (rows) => span(spansOf(rows).median)) },
    {
      name: "Released within 4 s of opening",
      ...both(reviewers, (rows) =>
        share(
          sumOf(rows, ({ quick }) => quick),
          sumOf(rows, ({ seen }) => seen),
        ),
      ),
    },
  ];
}

function reviewerTable({ figures: { reviewers } }: ReportOf<"reviewers">): ReportTable {
  const rows = reviewers.filter(inNow).map((row) => {
    const { median, p90 } = spansOf([row]);
    return [
      ...[text(row.name), count(row.released), count(row.declined), count(row.sent_back), span(median), span(p90)],
      share(row.quick, row.seen),
    ];
  });
  return table(
    {
      Reviewer: "text",
      Released: "count",
      Declined: "count",
      "Information requested": "count",
      "Median time": "span",
      "90th percentile": "span",
      "Released within 4 s": "share",
    },
    rows,
  );
}

/** The text of a decline code, or of what a request for information was about. */
export function reasonText(status: "declined" | "sent-back", reason: string): string {
  if (status === "sent-back") return reason === "" ? "A question" : `Question about ${pointerText(reason)}`;
  const known: Readonly<Record<string, string | undefined>> = declineReasons;
  return known[reason]?.replace(/\.$/, "") ?? "Other reason";
}

function pointerText(pointer: string): string {
  return pointer.slice(1).replaceAll("/", " ").replace(/[A-Z]/g, " $&").toLowerCase();
}

/** The days of a chart over time, and of each its value: how many awaited release at the end of each of them. */
export function backlogOf(report: ReportOf<"overview">): {
  readonly points: readonly string[];
  readonly now: readonly number[];
  readonly before: readonly number[];
} {
  const { range, figures } = report;
  const points = pointsOf(range);
  const ends = points.map((_, index) => dayPlus(points[index + 1] ?? dayPlus(range.to, 1), -1));
  return {
    points,
    now: ends.map((day) => awaitingAt(figures.intake, day)),
    before: ends.map((day) => awaitingAt(figures.intake, dayPlus(day, -range.days))),
  };
}

/** The median and the 90th percentile of each point of a chart over time; null where nothing was decided. */
export function decisionTimesOf({ range, figures }: ReportOf<"reviews">): {
  readonly points: readonly string[];
  readonly median: readonly (number | null)[];
  readonly p90: readonly (number | null)[];
} {
  const points = pointsOf(range);
  const each = points.map((_, index) =>
    spansOf(figures.spans.filter((row) => inNow(row) && row.point === points.length - index)),
  );
  return { points, median: each.map(({ median }) => median), p90: each.map(({ p90 }) => p90) };
}
