import type { HourCount } from "#lib/channel/channel-calls";

export function sumOf(hours: readonly HourCount[], of: "calls" | "denied"): number {
  return hours.reduce((total, hour) => total + hour[of], 0);
}

/** Six hours at a time: more points would hide each other. */
export function bySpan(hours: readonly HourCount[], of: (hour: HourCount) => number): readonly number[] {
  return [...Map.groupBy(hours.keys(), (index) => Math.floor(index / 6)).values()].map((indexes) =>
    indexes.reduce((total, index) => total + (hours[index] ? of(hours[index]) : 0), 0),
  );
}

export function dayText(hour: HourCount | undefined): string {
  if (!hour) return "";
  return new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "UTC" }).format(hour.hour);
}
