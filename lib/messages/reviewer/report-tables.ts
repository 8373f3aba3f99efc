import { declineReasons } from "#lib/messages/labels/decline-reasons";
import { connectorText } from "#lib/messages/connector-text";
import { decisionReason } from "#lib/messages/decision-reasons";
import { dayPlus, pointsOf } from "#lib/report/model/range";
import type { ReportId } from "#lib/report/model/reports";
import { spansOf, sumOf, type Share } from "#lib/report/model/totals";
import type { Report, ReportOf } from "#lib/report/show-report";

/** Said above figures that include releases of test data by nobody; undefined where there are none. */
export function autoReleasedInReport(report: Report): string | undefined {
  const names = namesWithAutoReleases(report);
  if (names.length === 0) return undefined;
  const list = new Intl.ListFormat("en").format(names);
  return `${list} ${names.length === 1 ? "has" : "have"} test requests that were released automatically. Those releases, which no person made, are counted here.`;
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
  const column = { name: "Includes releases made automatically, of", kind: "text" } as const;
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

/** A value with its kind: a text, a count, a share with both its numbers, or a duration in seconds. */
export type Value =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "count"; readonly count: number }
  | { readonly kind: "share"; readonly share: Share }
  | { readonly kind: "span"; readonly seconds: number | null };

const text = (shown: string): Value => ({ kind: "text", text: shown });
const count = (shown: number): Value => ({ kind: "count", count: shown });
const share = (part: number, of: number): Value => ({ kind: "share", share: { part, of } });
const span = (seconds: number | null): Value => ({ kind: "span", seconds });

/** A figure of the headline, beside the same of the period before. */
export type Figure = { readonly name: string; readonly now: Value; readonly before?: Value | undefined };

export type ReportTable = {
  /** `figure` for a column whose rows differ in kind. */
  readonly columns: readonly { readonly name: string; readonly kind: Value["kind"] | "figure" }[];
  readonly rows: readonly (readonly Value[])[];
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

type InPeriod = { readonly period: "now" | "before" };
const inNow = ({ period }: InPeriod) => period === "now";
const both = <Row extends InPeriod>(rows: readonly Row[], value: (rows: readonly Row[]) => Value) => ({
  now: value(rows.filter(inNow)),
  before: value(rows.filter((row) => !inNow(row))),
});

function table(
  columns: Readonly<Record<string, ReportTable["columns"][number]["kind"]>>,
  rows: ReportTable["rows"],
): ReportTable {
  return { columns: Object.entries(columns).map(([name, kind]) => ({ name, kind })), rows };
}

function figureTable(figures: readonly Figure[]): ReportTable {
  const rows = figures.map(({ name, now, before = text("") }) => [text(name), now, before]);
  return table({ Figure: "text", "This period": "figure", "Period before": "figure" }, rows);
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

type Outcomes = { readonly approved: number; readonly partly_approved: number; readonly denied: number };
const decidedOf = (row: Outcomes) => row.approved + row.partly_approved + row.denied;
const approvedOf = ({ approved }: Outcomes) => approved;

function payerFigures({ figures: { payers } }: ReportOf<"payers">): readonly Figure[] {
  return [
    { name: "Decided", ...both(payers, (rows) => count(sumOf(rows, decidedOf))) },
    { name: "Approved", ...both(payers, (rows) => share(sumOf(rows, approvedOf), sumOf(rows, decidedOf))) },
    { name: "Denials overturned", ...both(payers, overturnShare) },
    { name: "Median time to decide", ...both(payers, (rows) => span(spansOf(rows).median)) },
    {
      name: "Past the legal deadline",
      ...both(payers, (rows) =>
        share(
          sumOf(rows, ({ late }) => late),
          sumOf(rows, (row) => row.with_deadline),
        ),
      ),
    },
  ];
}

/** Of the requests that were ever denied, those approved at least in part now. */
const overturnShare = (rows: readonly { readonly denied: number; readonly overturned: number }[]) =>
  share(
    sumOf(rows, ({ overturned }) => overturned),
    sumOf(rows, ({ denied, overturned }) => denied + overturned),
  );

const payerText = ({ name, payer_id: id }: { readonly name: string | null; readonly payer_id: string }) =>
  text(name ?? id);

function payerTable({ figures: { payers } }: ReportOf<"payers">): ReportTable {
  const rows = payers.filter(inNow).map((row) => {
    const [{ median, p90 }, of] = [spansOf([row]), decidedOf(row)];
    return [
      ...[payerText(row), count(of), share(row.approved, of), share(row.partly_approved, of), share(row.denied, of)],
      ...[overturnShare([row]), span(median), span(p90), share(row.late, row.with_deadline)],
    ];
  });
  return table(
    {
      Payer: "text",
      Decided: "count",
      Approved: "share",
      "Partly approved": "share",
      Denied: "share",
      Overturned: "share",
      "Median time": "span",
      "90th percentile": "span",
      Late: "share",
    },
    rows,
  );
}

/** A reason of a payer, with its code; a code that has no label is shown as it came. */
export function denialReasonText(code: string): string {
  if (code === "") return "Without a reason code";
  const { label } = decisionReason(code);
  return label === undefined ? code : `${label.charAt(0).toUpperCase()}${label.slice(1)} (${code})`;
}

function denialFigures({ figures: { payers } }: ReportOf<"denials">): readonly Figure[] {
  return [
    {
      name: "Denied at first or now",
      ...both(payers, (rows) => count(sumOf(rows, ({ denied, overturned }) => denied + overturned))),
    },
    { name: "Denials overturned", ...both(payers, overturnShare) },
    { name: "Decided", ...both(payers, (rows) => count(sumOf(rows, decidedOf))) },
  ];
}

function denialTable({ figures: { denials } }: ReportOf<"denials">): ReportTable {
  const rows = denials
    .filter(inNow)
    .map((row) => [
      ...[payerText(row), text(denialReasonText(row.reason)), count(row.denied)],
      share(row.overturned, row.denied),
    ]);
  return table({ Payer: "text", Reason: "text", Denied: "count", Overturned: "share" }, rows);
}

type Results = Pick<
  ReportOf<"submissions">["figures"]["submissions"][number],
  "received" | "refused" | "not_received" | "unconfirmed"
>;
export const failedOf = (row: Results) => row.refused + row.not_received + row.unconfirmed;
export const finishedOf = (row: Results) => failedOf(row) + row.received;
const failedShare = (rows: readonly Results[]) => share(sumOf(rows, failedOf), sumOf(rows, finishedOf));

function submissionFigures({ figures: { submissions } }: ReportOf<"submissions">): readonly Figure[] {
  return [
    { name: "Submissions", ...both(submissions, (rows) => count(sumOf(rows, ({ released }) => released))) },
    { name: "Failed", ...both(submissions, failedShare) },
    {
      name: "Took more than one attempt",
      ...both(submissions, (rows) =>
        share(
          sumOf(rows, ({ retried }) => retried),
          sumOf(rows, ({ released }) => released),
        ),
      ),
    },
  ];
}

function submissionTable({ figures: { submissions } }: ReportOf<"submissions">): ReportTable {
  const rows = submissions
    .filter(inNow)
    .map((row) => [
      ...[payerText(row), text(connectorText(row.connector)), count(row.released), count(row.received)],
      ...[count(row.refused), count(row.not_received), count(row.unconfirmed), count(row.retried), failedShare([row])],
    ]);
  return table(
    {
      Payer: "text",
      "Connection type": "text",
      Released: "count",
      Received: "count",
      Rejected: "count",
      "Not received": "count",
      "Status unknown": "count",
      Retried: "count",
      Failed: "share",
    },
    rows,
  );
}

function measureFigures({ figures: { measures } }: ReportOf<"measures">): readonly Figure[] {
  const standard = measures.filter(({ urgent }) => !urgent);
  const of = sumOf(standard, decidedOf);
  return [
    { name: "Decided in the year", now: count(sumOf(measures, decidedOf)) },
    { name: "Standard: approved", now: share(sumOf(standard, approvedOf), of) },
    {
      name: "Standard: denied",
      now: share(
        sumOf(standard, ({ denied }) => denied),
        of,
      ),
    },
    {
      name: "Standard: approved after a denial",
      now: share(
        sumOf(standard, ({ overturned }) => overturned),
        of,
      ),
    },
  ];
}

function measureTable({ figures: { measures } }: ReportOf<"measures">): ReportTable {
  const rows = measures.map((row) => {
    const of = decidedOf(row);
    return [
      ...[payerText(row), text(row.urgent ? "Expedited" : "Standard"), count(of), share(row.approved, of)],
      ...[share(row.partly_approved, of), share(row.denied, of), share(row.overturned, of)],
      ...[span(row.mean_s), span(row.median_s)],
    ];
  });
  return table(
    {
      Payer: "text",
      Requests: "text",
      Decided: "count",
      Approved: "share",
      "Partly approved": "share",
      Denied: "share",
      "Approved after a denial": "share",
      "Average time": "span",
      "Median time": "span",
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
