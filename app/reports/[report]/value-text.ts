import type { Value } from "#lib/messages/reviewer/report-values";

/** How long, with one digit where a whole number would say too little. */
export function spanText(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)}\u00A0s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)}\u00A0min`;
  if (seconds < 48 * 3600) return `${shortened(seconds / 3600)}\u00A0h`;
  return `${shortened(seconds / (24 * 3600))}\u00A0days`;
}

const shortened = (value: number) => value.toFixed(value < 10 ? 1 : 0);

export function percentText(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`;
}

export const countText = (count: number): string => count.toLocaleString("en-US");

/** A value as people read it; a share with what it is of. */
export function valueText(value: Value): string {
  switch (value.kind) {
    case "text":
      return value.text;
    case "count":
      return countText(value.count);
    case "span":
      return value.seconds === null ? "–" : spanText(value.seconds);
    case "share": {
      const { part, of } = value.share;
      return of === 0 ? "–" : `${percentText(part / of)} (${countText(part)} of ${countText(of)})`;
    }
  }
}

/** How a figure differs from the one of the period before; undefined where there is nothing to compare. */
export function differenceText(now: Value, before: Value): string | undefined {
  const [one, other] = [numberIn(now), numberIn(before)];
  if (one === undefined || other === undefined) return undefined;
  const shown = valueText(before);
  if (valueText(now) === shown) return `unchanged from ${shown}`;
  return `${one > other ? "up" : "down"} from ${shown}`;
}

function numberIn(value: Value): number | undefined {
  if (value.kind === "count") return value.count;
  if (value.kind === "span") return value.seconds ?? undefined;
  if (value.kind === "share") return value.share.of === 0 ? undefined : value.share.part / value.share.of;
  return undefined;
}

/** A day as people write it: `Nov 24`, with the year where it is another than this one's. */
export function dayText(day: string, year = day.slice(0, 4)): string {
  return day.startsWith(year) ? inUTC(day, { month: "short", day: "numeric" }) : datedText(day);
}

/** A day with its year, for paper: `Nov 24, 2026`. */
export function datedText(day: string): string {
  return inUTC(day, { month: "short", day: "numeric", year: "numeric" });
}

function inUTC(day: string, style: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat("en-US", { ...style, timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
}
