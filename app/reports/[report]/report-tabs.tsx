import { TabLinks } from "#components/list/tab-links";
import { reportTexts } from "#lib/messages/reviewer/report-tables";
import { reportIds, type ReportId } from "#lib/report/model/reports";
import { reportPath, type ReportFilter } from "./filter.ts";

/** The reports side by side; each keeps the days and the practice that were chosen. */
export function ReportTabs({ current, filter }: { readonly current: ReportId; readonly filter: ReportFilter }) {
  const tabs = reportIds.map((id) => ({ href: reportPath(id, filter), name: reportTexts[id].title }));
  return <TabLinks label="Reports" tabs={tabs} current={reportPath(current, filter)} />;
}
