import { allOf, spanAt, type SpanCounts } from "./span-classes.ts";

/** Two numbers of which one is a part of the other. A share is never shown without them. */
export type Share = { readonly part: number; readonly of: number };

export const sumOf = <Row>(rows: readonly Row[], value: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + value(row), 0);

type Classes = { readonly classes: readonly number[]; readonly counts: readonly number[] };

function spanCountsOf({ classes, counts }: Classes): SpanCounts {
  return new Map(classes.map((spanClass, index) => [spanClass, counts[index] ?? 0]));
}

/** The median and the 90th percentile of several rows together, in seconds. */
export function spansOf(rows: readonly Classes[]): { readonly median: number | null; readonly p90: number | null } {
  const counts = allOf(rows.map(spanCountsOf));
  return { median: spanAt(counts, 0.5), p90: spanAt(counts, 0.9) };
}
