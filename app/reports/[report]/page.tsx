import { redirect } from "next/navigation";
import { ButtonLink } from "#components/form/button";
import { Empty } from "#components/list/empty";
import { PageHeader } from "#components/shell/page-header";
import { Notice } from "#components/shell/notice";
import { Shell } from "#components/shell/shell";
import { shownZone, Time } from "#components/text/time";
import {
  autoReleasedInReport,
  measuresAddedUpText,
  noReportText,
  reportTexts,
} from "#lib/messages/reviewer/report-tables";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { isReportId } from "#lib/report/model/reports";
import { showReport, type Report } from "#lib/report/show-report";
import { filterIn, reportPath } from "./filter.ts";
import { ReportChart } from "./charts.tsx";
import { Filters, ReportActions } from "./filters.tsx";
import { Headline } from "./headline.tsx";
import { ReportRows } from "./report-rows.tsx";
import { ReportTabs } from "./report-tabs.tsx";

type Props = {
  readonly params: Promise<{ readonly report: string }>;
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
};

/** One report: its question, its figures beside those of the period before, one chart, one table. */
export default async function ReportPage({ params, searchParams }: Props) {
  const { report: id } = await params;
  if (!isReportId(id)) redirect("/not-found");
  const filter = filterIn(await searchParams);
  const person = await requirePerson(reportPath(id, filter));
  const found = await showReport(contextOf(person), { ...filter, report: id, zone: await shownZone() });
  if (!found.ok) redirect("/not-found");
  const report = found.value;
  return (
    <Shell person={person} current="reports" title={`${reportTexts[id].title} report`}>
      <PageHeader
        title="Reports"
        lead={reportTexts[id].question}
        actions={report.practices.length > 0 && <ReportActions report={report} filter={filter} />}
        tabs={report.practices.length > 0 && <ReportTabs current={id} filter={filter} />}
      />
      {report.practices.length === 0 ? (
        <Empty title="No practice to report on">
          <p>{noReportText(person.administers === "every")}</p>
          {person.administers === "every" && (
            <ButtonLink href="/practices/new" tone="primary" className="mt-3">
              Create practice
            </ButtonLink>
          )}
        </Empty>
      ) : (
        <>
          <Filters report={report} filter={filter} />
          <Shown report={report} />
        </>
      )}
    </Shell>
  );
}

function Shown({ report }: { readonly report: Report }) {
  return (
    <div className="max-w-5xl">
      {report.isBehind && (
        <Notice tone="news" className="mb-5">
          Earlier days are still being added up. The figures grow until that is done, within a few minutes.
        </Notice>
      )}
      <Unreviewed report={report} />
      <Headline report={report} />
      <ReportChart report={report} />
      <ReportRows report={report} />
      <p className="mt-4 text-sm text-ink-faint">
        {report.report === "measures" ? <MeasureNote /> : <RollupNote />}
        {report.asOf && (
          <>
            {" "}
            Figures as of <Time at={report.asOf} as="full" />.
          </>
        )}
      </p>
    </div>
  );
}

/** Whose releases among these figures no person made. */
function Unreviewed({ report }: { readonly report: Report }) {
  const notice = autoReleasedInReport(report);
  if (notice === undefined) return null;
  return (
    <Notice tone="warn" className="mb-5">
      {notice}
    </Notice>
  );
}

function RollupNote() {
  return (
    <>Days are counted in each practice&rsquo;s time zone. Medians and percentiles are accurate to a few percent.</>
  );
}

function MeasureNote() {
  return (
    <>
      The measures that CMS-0057-F asks payers to publish each year (42 CFR 422.122(c) and its counterparts for
      Medicaid, CHIP and exchange plans), from the requests of these practices alone. Times run from the payer&rsquo;s
      receipt to its decision. Payers don&rsquo;t tell practices when they extend a review, so that measure is missing.{" "}
      {measuresAddedUpText}
    </>
  );
}
