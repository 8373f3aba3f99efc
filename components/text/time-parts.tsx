import { instantText, spanOf, type InstantStyle } from "#lib/messages/labels/instant";
import type { TimeParts } from "./time-text.tsx";

/** Whose times these are: the reader's own zone, and whether they would rather have times in it. */
export type TimeReader = { readonly own: string; readonly prefersOwn: boolean };

export function zoneFor({ own, prefersOwn }: TimeReader, practiceZone: string | undefined): string {
  return prefersOwn ? own : (practiceZone ?? own);
}

/** `on`: with the word before it, as a sentence goes on, and without a date that is today's. */
export type TimeStyle = InstantStyle | "age" | "until" | "late" | "on";

/** What a time says of an instant. */
export function timeParts(
  at: Date,
  as: TimeStyle,
  { reader, zone: practiceZone }: { readonly reader: TimeReader; readonly zone: string | undefined },
): TimeParts {
  const zone = zoneFor(reader, practiceZone);
  const exact = new Set([instantText(at, "full", zone), instantText(at, "full", reader.own)]);
  return { iso: at.toISOString(), exact: [...exact].join("; for you "), text: textOf(at, as, zone) };
}

function textOf(at: Date, as: TimeStyle, zone: string): string {
  const aheadMs = at.getTime() - Date.now();
  if (as === "late") return `${spanOf(aheadMs)} late`;
  if (as === "age") return spanOf(aheadMs);
  if (as === "until") return aheadMs > 0 ? `in ${spanOf(aheadMs)}` : `${spanOf(aheadMs)} ago`;
  if (as === "on") {
    const isToday = instantText(at, "day", zone) === instantText(new Date(), "day", zone);
    return isToday ? `at ${instantText(at, "clock", zone)}` : `on ${instantText(at, "moment", zone)}`;
  }
  return instantText(at, as, zone);
}
