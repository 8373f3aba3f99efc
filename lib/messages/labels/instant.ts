const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long, rounded to the nearest of its largest unit: `40 s`, `12 min`, `5 h`, `9 days`. */
export function spanOf(ms: number): string {
  const size = Math.abs(ms);
  const seconds = Math.round(size / secondMs);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(size / minuteMs);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(size / hourMs);
  if (hours < 48) return `${hours} h`;
  return `${Math.round(size / dayMs)} days`;
}

export type InstantStyle = "moment" | "day" | "clock" | "full";

const minute = { hour: "numeric", minute: "2-digit" } as const;
const day = { year: "numeric", month: "short", day: "numeric" } as const;

const styles = {
  moment: { ...day, ...minute },
  day,
  clock: minute,
  full: { ...day, ...minute, second: "2-digit" },
} as const satisfies Record<InstantStyle, Intl.DateTimeFormatOptions>;

/** To make one takes a hundred times as long as to use it, and a page shows hundreds of times. */
const formats = new Map<string, Intl.DateTimeFormat>();
const formatsMax = 100;

/** An instant in words, such as `Nov 24, 2026, 4:46 PM CST`; all but a day carry their zone. */
export function instantText(at: Date, style: InstantStyle, zone: string): string {
  // Some versions of ICU write a narrow space before AM and PM, which no font of ours has.
  return formatOf(style, zone).format(at).replaceAll("\u202F", " ");
}

function formatOf(style: InstantStyle, zone: string): Intl.DateTimeFormat {
  const key = `${style} ${zone}`;
  const known = formats.get(key);
  if (known) return known;
  if (formats.size >= formatsMax) formats.clear();
  const zoned = style === "day" ? {} : ({ timeZoneName: "short" } as const);
  const made = new Intl.DateTimeFormat("en-US", { ...styles[style], ...zoned, hourCycle: "h12", timeZone: zone });
  formats.set(key, made);
  return made;
}

/** A calendar day without a time, as a date of birth or of service: `02/08/1962`. Anything else stands as it is. */
export function dayText(isoDay: string): string {
  const [, year, month, dayOfMonth] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(isoDay) ?? [];
  return year === undefined ? isoDay : `${month}/${dayOfMonth}/${year}`;
}
