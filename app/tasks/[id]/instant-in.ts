/**
 * The instant at which clocks in `zone` show `local` (`2026-11-20T14:02`).
 * Empty text for what is no date and time. A time that occurs twice is the first of the two.
 */
export function instantIn(zone: string, local: string): Date | "" {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})/.exec(local);
  const asUtc = match ? Date.parse(`${match[0]}:00Z`) : Number.NaN;
  if (Number.isNaN(asUtc) || !isZone(zone)) return "";
  const guess = asUtc - aheadOfUtcMs(zone, asUtc);
  return new Date(asUtc - aheadOfUtcMs(zone, guess));
}

function aheadOfUtcMs(zone: string, atMs: number): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(atMs);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((found) => found.type === type)?.value);
  const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return shown - Math.floor(atMs / 1000) * 1000;
}

function isZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en-US", { timeZone: zone }));
  } catch {
    return false;
  }
}
