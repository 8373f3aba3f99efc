import type { Share } from "#lib/report/model/totals";

/** A value with its kind: a text, a count, a share with both its numbers, or a duration in seconds. */
export type Value =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "count"; readonly count: number }
  | { readonly kind: "share"; readonly share: Share }
  | { readonly kind: "span"; readonly seconds: number | null };

export const text = (shown: string): Value => ({ kind: "text", text: shown });
export const count = (shown: number): Value => ({ kind: "count", count: shown });
export const share = (part: number, of: number): Value => ({ kind: "share", share: { part, of } });
export const span = (seconds: number | null): Value => ({ kind: "span", seconds });

/** A figure of the headline, beside the same of the period before. */
export type Figure = { readonly name: string; readonly now: Value; readonly before?: Value | undefined };

export type ReportTable = {
  /** `figure` for a column whose rows differ in kind. */
  readonly columns: readonly { readonly name: string; readonly kind: Value["kind"] | "figure" }[];
  readonly rows: readonly (readonly Value[])[];
};

type InPeriod = { readonly period: "now" | "before" };
export const inNow = ({ period }: InPeriod) => period === "now";
/** The same value of this period and of the one before. */
export const both = <Row extends InPeriod>(rows: readonly Row[], value: (rows: readonly Row[]) => Value) => ({
  now: value(rows.filter(inNow)),
  before: value(rows.filter((row) => !inNow(row))),
});

/** A table of these columns, each with its kind. */
export function table(
  columns: Readonly<Record<string, ReportTable["columns"][number]["kind"]>>,
  rows: ReportTable["rows"],
): ReportTable {
  return { columns: Object.entries(columns).map(([name, kind]) => ({ name, kind })), rows };
}

/** Figures as a table of their own. */
export function figureTable(figures: readonly Figure[]): ReportTable {
  const rows = figures.map(({ name, now, before = text("") }) => [text(name), now, before]);
  return table({ Figure: "text", "This period": "figure", "Period before": "figure" }, rows);
}
