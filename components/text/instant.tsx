const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long, in its largest whole unit: `40 s`, `12 min`, `5 h`, `9 d`. */
export function spanOf(ms: number): string {
  const size = Math.abs(ms);
  if (size < minuteMs) return `${Math.floor(size / 1000)} s`;
  if (size < hourMs) return `${Math.floor(size / minuteMs)} min`;
  if (size < 2 * dayMs) return `${Math.floor(size / hourMs)} h`;
  return `${Math.floor(size / dayMs)} d`;
}

export type InstantStyle = "moment" | "day" | "clock" | "full";

const styles = {
  moment: { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" },
  day: { year: "numeric", month: "short", day: "numeric" },
  clock: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
  full: { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit" },
} as const satisfies Record<InstantStyle, Intl.DateTimeFormatOptions>;

/** To make one takes a hundred times as long as to use it, and a page shows hundreds of times. */
const formats = new Map<string, Intl.DateTimeFormat>();
const formatsMax = 100;

/** An instant in words; all but a day carry their zone. */
export function instantText(at: Date, style: InstantStyle, zone: string): string {
  return formatOf(style, zone).format(at);
}

function formatOf(style: InstantStyle, zone: string): Intl.DateTimeFormat {
  const key = `${style} ${zone}`;
  const known = formats.get(key);
  if (known) return known;
  if (formats.size >= formatsMax) formats.clear();
  const zoned = style === "day" ? {} : ({ timeZoneName: "short" } as const);
  const made = new Intl.DateTimeFormat("en-US", { ...styles[style], ...zoned, hourCycle: "h23", timeZone: zone });
  formats.set(key, made);
  return made;
}
