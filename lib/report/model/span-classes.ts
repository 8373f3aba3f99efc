/**
 * Spans of time in classes: a class is 17% wide, the first holds everything under a minute, the last everything from
 * about 140 days on. A median read back from them is off by a few percent at most, whatever the number of spans.
 */
const classesMax = 80;
const firstS = 60;
const ratio = 1.17;

/** How often each class occurs, by its number. */
export type SpanCounts = ReadonlyMap<number, number>;

/** The class of a span in seconds, in SQL. */
export const classInSql = (seconds: string) =>
  `(CASE WHEN ${seconds} < ${firstS} THEN 0 ELSE least(${classesMax - 1}, 1 + floor(ln(${seconds} / ${firstS}.0) / ln(${ratio}))) END)::smallint`;

/** From how many seconds on a span is in this class. */
function beginOf(spanClass: number): number {
  return spanClass === 0 ? 0 : firstS * ratio ** (spanClass - 1);
}

/**
 * The span that this part of all spans do not exceed, in seconds, between neighbors as `percentile_cont` of Postgres has
 * it, and as if the spans of a class were spread evenly over it; null where there is none.
 */
export function spanAt(counts: SpanCounts, part: number): number | null {
  const all = [...counts].filter(([, count]) => count > 0).toSorted(([one], [other]) => one - other);
  const total = all.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  const place = part * (total - 1);
  const [low, high] = [spanOfRank(all, Math.floor(place)), spanOfRank(all, Math.ceil(place))];
  return low + (high - low) * (place % 1);
}

/** The span with so many before it. */
function spanOfRank(all: readonly (readonly [spanClass: number, count: number])[], rank: number): number {
  let before = 0;
  for (const [spanClass, count] of all) {
    if (rank < before + count) {
      const [begin, end] = [beginOf(spanClass), beginOf(spanClass + 1)];
      return begin + (end - begin) * ((rank - before + 0.5) / count);
    }
    before += count;
  }
  return 0;
}

/** The counts of several sets together. */
export function allOf(sets: readonly SpanCounts[]): SpanCounts {
  const sums = new Map<number, number>();
  for (const set of sets) for (const [spanClass, count] of set) sums.set(spanClass, (sums.get(spanClass) ?? 0) + count);
  return sums;
}
