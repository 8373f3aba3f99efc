/**
 * The instant at which clocks in `zone` show `local` (`2026-11-20T14:02`).
 * Undefined if `local` is not a date and time. For a time that occurs twice, the first instant.
 */
export function instantIn(zone: string, local: string): Date | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})/.exec(local);
  const asUtc = match ? Date.parse(`${match[0]}:00Z`) : Number.NaN;
  if (Number.isNaN(asUtc) || !isZone(zone)) return undefined;
  const guess = asUtc - utcOffsetMs(zone, asUtc);
  return new Date(asUtc - utcOffsetMs(zone, guess));
}

/** The local time in `zone` at an instant, in the format of a form: `2026-11-20T14:02`. */
export function localIn(zone: string, at: Date): string {
  return new Date(at.getTime() + utcOffsetMs(zone, at.getTime())).toISOString().slice(0, 16);
}

/** The calendar day in `zone` at an instant, YYYY-MM-DD. */
export function dayIn(zone: string, at: Date): string {
  const ms = at.getTime();
  return isoDay(Math.floor((ms + utcOffsetMs(zone, ms)) / dayMs));
}

/** Days since 1970, as text. Few of them are asked for, thousands of times. */
const isoDays = new Map<number, string>();
const isoDaysMax = 1_000;

function isoDay(number: number): string {
  const known = isoDays.get(number);
  if (known !== undefined) return known;
  if (isoDays.size >= isoDaysMax) isoDays.clear();
  const day = new Date(number * dayMs).toISOString().slice(0, 10);
  isoDays.set(number, day);
  return day;
}

/** The last millisecond, in `zone`, of the day that comes `days` after `day`. */
export function endOfDay(zone: string, day: string, days: number): Date | undefined {
  const next = new Date(Date.parse(`${day}T00:00Z`) + (days + 1) * dayMs).toISOString().slice(0, 10);
  const midnight = instantIn(zone, `${next}T00:00`);
  return midnight && new Date(midnight.getTime() - 1);
}

const dayMs = 24 * 60 * 60 * 1000;

/** Whether this is an IANA time zone that this runtime knows. */
export function isZone(zone: string): boolean {
  try {
    return Boolean(formatIn(zone));
  } catch {
    return false;
  }
}

/** Cached, because creating a formatter takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();
const formatsMax = 100;

function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  if (formats.size >= formatsMax) formats.clear();
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(zone, made);
  return made;
}

/** Offsets from UTC, by zone and minute. They can be cached by minute because since 1980 every change was on a full minute. */
const offsets = new Map<string, number>();
const offsetsMax = 1_000;
const minuteMs = 60_000;
const wholeMinutesSinceMs = Date.UTC(1980, 0);

function utcOffsetMs(zone: string, atMs: number): number {
  if (!(atMs >= wholeMinutesSinceMs)) return computeOffsetMs(zone, atMs);
  const name = `${zone} ${Math.floor(atMs / minuteMs)}`;
  const known = offsets.get(name);
  if (known !== undefined) return known;
  if (offsets.size >= offsetsMax) offsets.clear();
  const computed = computeOffsetMs(zone, atMs);
  offsets.set(name, computed);
  return computed;
}

function computeOffsetMs(zone: string, atMs: number): number {
  const parts = formatIn(zone).formatToParts(atMs);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((found) => found.type === type)?.value);
  const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return shown - Math.floor(atMs / 1000) * 1000;
}
