import type { ReportId } from "#lib/report/model/reports";

/** What the address of a report says beside its name. */
export type ReportFilter = {
  readonly days?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly practiceId?: string | undefined;
  readonly year?: number | undefined;
};

type Params = Readonly<Record<string, string | string[] | undefined>>;

/** What an address asks for; what makes no sense in it is as if it were not there. */
export function filterIn(params: Params): ReportFilter {
  const one = (name: string) => {
    const value = params[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const year = one("year");
  return {
    days: one("days"),
    from: one("from"),
    to: one("to"),
    practiceId: one("practice"),
    year: year !== undefined && /^20\d\d$/.test(year) ? Number(year) : undefined,
  };
}

type Path = ReportFilter & { readonly csv?: boolean };

/** The address of a report, or of its table as CSV. */
export function reportPath(report: ReportId, { days, from, to, practiceId, year, csv = false }: Path): string {
  const named = { days, from, to, practice: practiceId, year: year?.toString() };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(named)) if (value !== undefined) query.set(name, value);
  const path = `/reports/${report}${csv ? "/csv" : ""}`;
  return query.size === 0 ? path : `${path}?${query}`;
}
