import { Bars, type BarTone } from "#components/list/bars";
import { LineChart } from "#components/list/line-chart";
import { connectorText } from "#lib/messages/connector-text";
import { denialReasonText, failedOf, finishedOf } from "#lib/messages/reviewer/payer-reports";
import { backlogOf, decisionTimesOf, reasonText } from "#lib/messages/reviewer/report-tables";
import { spansOf, sumOf } from "#lib/report/model/totals";
import type { Report, ReportOf } from "#lib/report/show-report";
import { countText, dayText, percentText, spanText } from "./value-text.ts";

/** Most bars a chart draws; the table under it has them all. */
const barsMax = 12;

/** The chart of a report: the one story it tells. */
export function ReportChart({ report }: { readonly report: Report }) {
  switch (report.report) {
    case "overview":
      return <Backlog report={report} />;
    case "reviews":
      return <DecisionTimes report={report} />;
    case "reasons":
      return <Reasons report={report} />;
    case "reviewers":
      return <Reviewers report={report} />;
    case "payers":
      return <Payers report={report} />;
    case "denials":
      return <Denials report={report} />;
    case "submissions":
      return <Submissions report={report} />;
    case "measures":
      return <Measures report={report} />;
  }
}

type InPeriod = { readonly period: "now" | "before" };
const inNow = <Row extends InPeriod>(rows: readonly Row[]) => rows.filter(({ period }) => period === "now");

function Backlog({ report }: { readonly report: ReportOf<"overview"> }) {
  const { points, now, before } = backlogOf(report);
  return (
    <LineChart
      label="Line chart of how many requests awaited release at the end of each period, now and in the period before."
      series={[
        { name: "Awaiting release at the end of the day", values: now },
        { name: "Period before", values: before, dashed: true },
      ]}
      textOf={countText}
      {...endsOf(report, points)}
    />
  );
}

function DecisionTimes({ report }: { readonly report: ReportOf<"reviews"> }) {
  const { points, median, p90 } = decisionTimesOf(report);
  if (median.every((value) => value === null)) return null;
  return (
    <LineChart
      label="Line chart of the median and the 90th percentile of the time from a request's arrival to a reviewer's decision."
      series={[
        { name: "Median time to a decision", values: median },
        { name: "90th percentile", values: p90, dashed: true },
      ]}
      textOf={spanText}
      {...endsOf(report, points)}
    />
  );
}

function endsOf({ range }: Report, points: readonly string[]) {
  const year = range.to.slice(0, 4);
  return { from: dayText(points[0] ?? range.from, year), to: dayText(range.to, year) };
}

const answerLegend = [
  { name: "Released", tone: "ink" },
  { name: "Declined", tone: "bad" },
  { name: "Information requested", tone: "warn" },
] as const satisfies readonly { readonly name: string; readonly tone: BarTone }[];

function Reasons({ report: { figures } }: { readonly report: ReportOf<"reasons"> }) {
  const byReason = Map.groupBy(inNow(figures.reasons), ({ status, reason }) => reasonText(status, reason));
  const bars = [...byReason].map(([label, rows]) => ({
    label,
    value: rows.reduce((sum, { cases }) => sum + cases, 0),
    tone: rows[0]?.status === "declined" ? ("bad" as const) : ("warn" as const),
  }));
  if (bars.length === 0) return null;
  return (
    <Bars
      label="Bar chart of the reasons for declining and of the information requested, over all channels."
      legend={answerLegend.slice(1)}
      bars={bars
        .toSorted((one, other) => other.value - one.value)
        .slice(0, barsMax)
        .map(({ label, value, tone }) => ({ label, parts: [{ value, tone }], note: countText(value) }))}
    />
  );
}

function Reviewers({ report: { figures } }: { readonly report: ReportOf<"reviewers"> }) {
  const rows = inNow(figures.reviewers);
  if (rows.length === 0) return null;
  return (
    <Bars
      label="Bar chart of the decisions each reviewer made."
      legend={answerLegend}
      bars={rows.slice(0, barsMax).map(({ name, released, declined, sent_back }) => ({
        label: name,
        parts: [
          { value: released, tone: "ink" },
          { value: declined, tone: "bad" },
          { value: sent_back, tone: "warn" },
        ],
        note: countText(released + declined + sent_back),
      }))}
    />
  );
}

function Payers({ report: { figures } }: { readonly report: ReportOf<"payers"> }) {
  const rows = inNow(figures.payers);
  if (rows.length === 0) return null;
  const before = new Map(
    figures.payers.filter(({ period }) => period === "before").map((row) => [row.payer_id, spansOf([row]).median]),
  );
  return (
    <Bars
      label="Bar chart of each payer's median time to decide, beside that of the period before."
      bars={rows.slice(0, barsMax).map((row) => {
        const [median, earlier] = [spansOf([row]).median, before.get(row.payer_id)];
        const compared = typeof earlier === "number" ? `, before ${spanText(earlier)}` : "";
        return {
          label: row.name ?? row.payer_id,
          parts: [{ value: median ?? 0, tone: "ink" as const }],
          note: median === null ? "not known" : `${spanText(median)}${compared}`,
        };
      })}
    />
  );
}

function Denials({ report: { figures } }: { readonly report: ReportOf<"denials"> }) {
  const byReason = Map.groupBy(inNow(figures.denials), ({ reason }) => reason);
  const bars = [...byReason].map(([reason, rows]) => {
    const [denied, overturned] = [sumOf(rows, (row) => row.denied), sumOf(rows, (row) => row.overturned)];
    return { label: denialReasonText(reason), denied, overturned };
  });
  if (bars.length === 0) return null;
  return (
    <Bars
      label="Bar chart of the reasons of denials over all payers, and of those overturned since."
      legend={[
        { name: "Denied", tone: "bad" },
        { name: "Overturned", tone: "soft" },
      ]}
      bars={bars
        .toSorted((one, other) => other.denied - one.denied)
        .slice(0, barsMax)
        .map(({ label, denied, overturned }) => ({
          label,
          parts: [
            { value: denied - overturned, tone: "bad" },
            { value: overturned, tone: "soft" },
          ],
          note: countText(denied),
        }))}
    />
  );
}

function Submissions({ report: { figures } }: { readonly report: ReportOf<"submissions"> }) {
  const rows = inNow(figures.submissions).filter((row) => finishedOf(row) > 0);
  if (rows.length === 0) return null;
  const share = (row: (typeof rows)[number]) => failedOf(row) / finishedOf(row);
  return (
    <Bars
      label="Bar chart of the share of submissions that failed, by payer and connection."
      full={Math.max(0.1, ...rows.map(share))}
      bars={rows
        .toSorted((one, other) => share(other) - share(one))
        .slice(0, barsMax)
        .map((row) => ({
          label: `${row.name ?? row.payer_id}, ${connectorText(row.connector)}`,
          parts: [{ value: share(row), tone: "bad" as const }],
          note: `${percentText(share(row))} (${countText(failedOf(row))} of ${countText(finishedOf(row))})`,
        }))}
    />
  );
}

function Measures({ report: { figures } }: { readonly report: ReportOf<"measures"> }) {
  const byPayer = Map.groupBy(figures.measures, (row) => row.payer_id);
  if (byPayer.size === 0) return null;
  const sum = (list: readonly number[]) => list.reduce((all, each) => all + each, 0);
  return (
    <Bars
      label="Bar chart of what each payer approved, partially approved and denied in the year."
      legend={[
        { name: "Approved", tone: "ink" },
        { name: "Partially approved", tone: "soft" },
        { name: "Denied", tone: "bad" },
      ]}
      full={1}
      bars={[...byPayer.values()].slice(0, barsMax).map((rows) => {
        const [approved, partly, denied] = [
          sum(rows.map((row) => row.approved)),
          sum(rows.map((row) => row.partly_approved)),
          sum(rows.map((row) => row.denied)),
        ];
        const of = approved + partly + denied;
        return {
          label: rows[0]?.name ?? rows[0]?.payer_id ?? "",
          parts: [
            { value: approved / of, tone: "ink" as const },
            { value: partly / of, tone: "soft" as const },
            { value: denied / of, tone: "bad" as const },
          ],
          note: `${percentText(approved / of)} of ${countText(of)} approved`,
        };
      })}
    />
  );
}
