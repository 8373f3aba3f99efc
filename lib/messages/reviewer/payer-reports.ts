import { connectorText } from "#lib/messages/connector-text";
import { decisionReason } from "#lib/messages/decision-reasons";
import { spansOf, sumOf } from "#lib/report/model/totals";
import type { ReportOf } from "#lib/report/show-report";
import { both, count, type Figure, inNow, type ReportTable, share, span, table, text } from "./report-values.ts";

type Outcomes = { readonly approved: number; readonly partly_approved: number; readonly denied: number };
export const decidedOf = (row: Outcomes) => row.approved + row.partly_approved + row.denied;
export const approvedOf = ({ approved }: Outcomes) => approved;

export function payerFigures({ figures: { payers } }: ReportOf<"payers">): readonly Figure[] {
  return [
    { name: "Decided", ...both(payers, (rows) => count(sumOf(rows, decidedOf))) },
    { name: "Approved", ...both(payers, (rows) => share(sumOf(rows, approvedOf), sumOf(rows, decidedOf))) },
    { name: "Denials overturned", ...both(payers, overturnShare) },
    { name: "Median time to decide", ...both(payers, (rows) => span(spansOf(rows).median)) },
    {
      name: "Decided after the legal deadline",
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

export function payerTable({ figures: { payers } }: ReportOf<"payers">): ReportTable {
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
      "Partially approved": "share",
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

export function denialFigures({ figures: { payers } }: ReportOf<"denials">): readonly Figure[] {
  return [
    {
      name: "Denied at first or now",
      ...both(payers, (rows) => count(sumOf(rows, ({ denied, overturned }) => denied + overturned))),
    },
    { name: "Denials overturned", ...both(payers, overturnShare) },
    { name: "Decided", ...both(payers, (rows) => count(sumOf(rows, decidedOf))) },
  ];
}

export function denialTable({ figures: { denials } }: ReportOf<"denials">): ReportTable {
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
export const failedShare = (rows: readonly Results[]) => share(sumOf(rows, failedOf), sumOf(rows, finishedOf));

export function submissionFigures({ figures: { submissions } }: ReportOf<"submissions">): readonly Figure[] {
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

export function submissionTable({ figures: { submissions } }: ReportOf<"submissions">): ReportTable {
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

export function measureFigures({ figures: { measures } }: ReportOf<"measures">): readonly Figure[] {
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

export function measureTable({ figures: { measures } }: ReportOf<"measures">): ReportTable {
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
      "Partially approved": "share",
      Denied: "share",
      "Approved after a denial": "share",
      "Average time": "span",
      "Median time": "span",
    },
    rows,
  );
}
