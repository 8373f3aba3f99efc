import { isPurged, type Link } from "./link.ts";

/** Contents are kept for a year at least, whatever a recorded purge says. */
const keptDaysMin = 365;

const dayMs = 86_400_000;

/** A head is signed a while after its entries were read, and two clocks differ; a day is more than both. */
const slackDays = 1;

export type Purges = {
  /**
   * Looks at the next entry. `after` is the time of the last signed head before it, which the entry can't be older
   * than. False for an empty entry that no purge can have left: purges take the oldest entries, without a gap.
   */
  readonly take: (link: Link, after: string | undefined) => boolean;
  /** How many entries are empty. */
  readonly count: () => number;
  /** The empty entries that no recorded purge was allowed to take. */
  readonly notCovered: () => { readonly first: number; readonly last: number } | undefined;
};

/**
 * Which empty entries of a chain its recorded purges cover: those that were older than the days it names, and than a year,
 * when the purge was recorded. The stored time of an empty entry is no longer covered by its hashes, so a signed head
 * counts more. It keeps one number for each day, so the length of the chain does not matter.
 */
export function trackPurges(asOf: number): Purges {
  const lastOfDay = new Map<number, number>();
  let [count, first, last, day, through] = [0, 0, 0, -Infinity, 0];
  let isPastEmpty = false;
  const take = (link: Link, after: string | undefined): boolean => {
    if (!isPurged(link)) {
      isPastEmpty = true;
      through = Math.max(through, coveredBy(link));
      return true;
    }
    if (isPastEmpty) return false;
    if (count === 0) first = link.seq;
    count += 1;
    last = link.seq;
    const signed = after === undefined ? -Infinity : dayOf(Date.parse(after)) - slackDays;
    day = Math.max(day, dayOf(Date.parse(link.at)), signed);
    lastOfDay.set(day, last);
    return true;
  };
  const coveredBy = (link: Link): number => {
    const purge = purgeOf(link);
    if (!purge || !(purge.days >= keptDaysMin)) return 0;
    const through = dayOf(Math.min(Date.parse(link.at), asOf)) - purge.days + slackDays;
    const old = [...lastOfDay].flatMap(([of, seq]) => (of <= through ? [seq] : []));
    return Math.min(purge.through, Math.max(0, ...old));
  };
  const notCovered = () => (last > through ? { first: Math.max(first, through + 1), last } : undefined);
  return { take, count: () => count, notCovered };
}

function dayOf(ms: number): number {
  return Math.floor(ms / dayMs);
}

/** What an entry that records a purge says of it; undefined for any other entry. */
function purgeOf({ act, actor, detail }: Link): { readonly through: number; readonly days: number } | undefined {
  if (act !== "audit.purged" || actor !== "worker") return undefined;
  const { through, days } = JSON.parse(detail) as { through?: unknown; days?: unknown };
  return typeof through === "number" && typeof days === "number" ? { through, days } : undefined;
}
