import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { inTransaction } from "#lib/db/db";
import { savedTableOf } from "#lib/messages/reviewer/report-tables";
import { ok, type Result } from "#lib/platform/result";
import { reportCsv } from "#lib/report/report-csv";
import { showReport, type Report, type ReportQuery } from "#lib/report/show-report";
import type { Refusal } from "#lib/task/refusal";

/**
 * The table of a report as CSV, of the practices the person may see. The export is in the audit log of each of these
 * practices before the table is returned.
 */
export async function exportReport(
  ctx: Context<PersonActor>,
  query: ReportQuery,
): Promise<Result<{ readonly csv: string; readonly from: string; readonly to: string }, Refusal>> {
  const found = await showReport(ctx, query);
  if (!found.ok) return found;
  const { practices, practiceId, range } = found.value;
  const { actor, store } = ctx;
  const chains = practiceId === undefined ? practices.map(({ id }) => id).sort() : [practiceId];
  const detail = { table: query.report, ...coveredBy(found.value) };
  await inTransaction(store, async (tx) => {
    for (const chain of chains) await appendAudit(tx, { chain, actor, act: "report.exported", detail });
  });
  return ok({ csv: reportCsv(savedTableOf(found.value)), from: range.from, to: range.to });
}

/** What an export is of: the measures of a year, and any other report of days. */
function coveredBy(report: Report) {
  if (report.report === "measures") return { year: report.figures.year };
  return { firstDay: report.range.from, lastDay: report.range.to };
}
