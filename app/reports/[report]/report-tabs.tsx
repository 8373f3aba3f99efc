import Link from "next/link";
import { reportTexts } from "#lib/messages/reviewer/report-tables";
import { reportIds, type ReportId } from "#lib/report/model/reports";
import { reportPath, type ReportFilter } from "./filter.ts";

/** The reports side by side; each keeps the days and the practice that were chosen. */
export function ReportTabs({ current, filter }: { readonly current: ReportId; readonly filter: ReportFilter }) {
  return (
    <nav aria-label="Reports" className="mb-5 flex flex-wrap gap-x-1 border-b border-line print:hidden">
      {reportIds.map((id) => (
        <Link
          key={id}
          href={reportPath(id, filter)}
          prefetch={false}
          aria-current={id === current ? "page" : undefined}
          className="-mb-px border-b-2 border-transparent px-3 py-2 text-ink-soft hover:text-ink aria-[current]:border-ink aria-[current]:font-semibold aria-[current]:text-ink"
        >
          {reportTexts[id].title}
        </Link>
      ))}
    </nav>
  );
}
