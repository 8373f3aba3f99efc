import { isDate } from "#lib/task/model/formats";

/** The lengths of time a report offers, in days up to today. */
export const rangeDays = ["7", "30", "90", "365"] as const;
export type RangeDays = (typeof rangeDays)[number];

/** Most days of a range that somebody chose by its first and last day. */
const daysMax = 366;

/** Days of the calendar, ISO 8601, both included, and the days of equal number right before them. */
export type ReportRange = {
  readonly from: string;
  readonly to: string;
  readonly beforeFrom: string;
  readonly days: number;
  /** How many days each point of a chart over time stands for. */
  readonly step: number;
};

const dayMs = 86_400_000;
const isDay = (text: string | undefined): text is string => text !== undefined && isDate(text);

/** The day this many days later; earlier where the number is negative. */
export function dayPlus(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** How many days lie between; 0 for the same day. */
function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs);
}

export type RangeInput = {
  readonly days?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/** The range an address asks for. The days chosen win where they make sense; otherwise it ends today. */
export function rangeOf({ days, from, to }: RangeInput, today: string): ReportRange & { readonly chosen?: RangeDays } {
  if (isDay(from) && isDay(to) && from <= to && to <= today && daysBetween(from, to) < daysMax)
    return ranging(from, to);
  const chosen = rangeDays.find((known) => known === days) ?? "30";
  return { ...ranging(dayPlus(today, 1 - Number(chosen)), today), chosen };
}

function ranging(from: string, to: string): ReportRange {
  const days = daysBetween(from, to) + 1;
  return { from, to, beforeFrom: dayPlus(from, -days), days, step: days <= 31 ? 1 : days <= 120 ? 7 : 30 };
}

/** The first day of each point of a chart over time. The first point may stand for fewer days than the others. */
export function pointsOf({ from, to, days, step }: ReportRange): readonly string[] {
  const count = Math.ceil(days / step);
  return Array.from({ length: count }, (_, index) => {
    const first = dayPlus(to, 1 - step * (count - index));
    return first < from ? from : first;
  });
}
