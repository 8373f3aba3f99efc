import { shownZone } from "#components/text/time";
import { contextOf, currentPerson } from "#lib/person/session/person";
import { exportReport } from "#lib/report/export-report";
import { isReportId } from "#lib/report/model/reports";
import { filterIn } from "../filter.ts";

type Props = { readonly params: Promise<{ readonly report: string }> };

/** The table of a report as CSV. */
export async function GET(request: Request, { params }: Props): Promise<Response> {
  const { report } = await params;
  const person = await currentPerson();
  const filter = filterIn(Object.fromEntries(new URL(request.url).searchParams));
  const query = isReportId(report) ? { ...filter, report, zone: await shownZone() } : undefined;
  const found = person && query && (await exportReport(contextOf(person), query));
  if (!found?.ok) return new Response("Not found", { status: 404, headers: { "cache-control": "no-store" } });
  const { csv, from, to } = found.value;
  const span = query?.report === "measures" ? (query.year ?? to.slice(0, 4)) : `${from}-to-${to}`;
  return new Response(csv, {
    headers: {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="${report}-${span}.csv"`,
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    },
  });
}
