import Link from "next/link";
import { Button } from "#components/form/button";
import { SelectField, TextField } from "#components/form/field";
import { buttonClass } from "#components/form/plain-button";
import { PrintButton } from "#components/paper/print-button";
import { rangeDays, type RangeDays } from "#lib/report/model/range";
import type { Report } from "#lib/report/show-report";
import { reportPath, type ReportFilter } from "./filter.ts";
import { datedText } from "./value-text.ts";

const rangeTexts: Readonly<Record<RangeDays, string>> = {
  "7": "7 days",
  "30": "30 days",
  "90": "90 days",
  "365": "12 months",
};

type Props = { readonly report: Report; readonly filter: ReportFilter };

/** What to save and to print. */
export function ReportActions({ report, filter }: Props) {
  return (
    <>
      <a href={reportPath(report.report, { ...filter, csv: true })} download className={buttonClass({})}>
        Download CSV
      </a>
      <PrintButton tone="plain" />
    </>
  );
}

/** Which days and whose. Everything stands in the address. */
export function Filters({ report, filter }: Props) {
  return (
    <>
      <div className="mb-6 flex flex-wrap items-end gap-x-6 gap-y-3 print:hidden">
        {report.report === "measures" ? (
          <Years report={report} filter={filter} />
        ) : (
          <Ranges report={report} filter={filter} />
        )}
        {report.practices.length > 1 && <PracticeChoice report={report} filter={filter} />}
      </div>
      <p className="mb-4 hidden print:block">{printedText(report)}</p>
    </>
  );
}

function Ranges({ report, filter }: Props) {
  const { chosen, from, to } = report.range;
  return (
    <>
      <nav aria-label="Range" className="-mx-2 flex flex-wrap gap-1">
        {rangeDays.map((days) => (
          <Link
            key={days}
            href={reportPath(report.report, { ...filter, days, from: undefined, to: undefined })}
            prefetch={false}
            aria-current={days === chosen ? "page" : undefined}
            className="rounded-md px-2 py-1.5 text-ink-soft hover:bg-hover hover:text-ink aria-[current]:bg-selected aria-[current]:font-semibold aria-[current]:text-ink pointer-coarse:py-3"
          >
            {rangeTexts[days]}
          </Link>
        ))}
      </nav>
      <details open={chosen === undefined} className="not-open:pb-1.5">
        <summary className="text-ink-soft hover:text-ink">Custom dates</summary>
        <form className="mt-2 flex flex-wrap items-end gap-2">
          {filter.practiceId !== undefined && <input type="hidden" name="practice" value={filter.practiceId} />}
          <TextField label="From" name="from" type="date" defaultValue={from} max={to} required />
          <TextField label="To" name="to" type="date" defaultValue={to} required />
          <Button>Apply dates</Button>
        </form>
      </details>
    </>
  );
}

function Years({
  report,
  filter,
}: {
  readonly report: Extract<Report, { report: "measures" }>;
  readonly filter: ReportFilter;
}) {
  const { year, years } = report.figures;
  const listed = years.includes(year) ? years : [year, ...years];
  return (
    <nav aria-label="Year" className="-mx-2 flex flex-wrap gap-1">
      {listed.map((each) => (
        <Link
          key={each}
          href={reportPath("measures", { ...filter, year: each })}
          prefetch={false}
          aria-current={each === year ? "page" : undefined}
          className="rounded-md px-2 py-1.5 text-ink-soft hover:bg-hover hover:text-ink aria-[current]:bg-selected aria-[current]:font-semibold aria-[current]:text-ink pointer-coarse:py-3"
        >
          {each}
        </Link>
      ))}
    </nav>
  );
}

function PracticeChoice({ report, filter }: Props) {
  const kept = { days: filter.days, from: filter.from, to: filter.to, year: filter.year?.toString() };
  return (
    <form className="flex items-end gap-2">
      {Object.entries(kept).map(
        ([name, value]) => value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <SelectField
        label="Practice"
        name="practice"
        defaultValue={report.practiceId ?? ""}
        options={[
          { value: "", text: "All practices" },
          ...report.practices.map(({ id, name }) => ({ value: id, text: name })),
        ]}
      />
      <Button>Apply</Button>
    </form>
  );
}

/** What the choices above say, for paper. */
function printedText(report: Report): string {
  const [first, second] = report.practices;
  const only = second ? undefined : first;
  const practice = (report.practices.find(({ id }) => id === report.practiceId) ?? only)?.name ?? "All practices";
  if (report.report === "measures") return `${report.figures.year}, ${practice}`;
  const { from, to } = report.range;
  return `${datedText(from)} to ${datedText(to)}, ${practice}`;
}
