import { cookies } from "next/headers";
import { cache, use } from "react";
import { instantText, spanOf } from "#lib/messages/labels/instant";
import { readerZone } from "./reader-zone.ts";
import { timeParts, zoneFor, type TimeReader, type TimeStyle } from "./time-parts.tsx";
import { TimeText } from "./time-text.tsx";

export { instantText, readerZone, spanOf, timeParts };

/** What this request's page is about; a page sets it before its parts are drawn. */
const page = cache((): { zone?: string } => ({}));

/** From here on times stand as clocks of this practice show them, unless the reader would rather have their own. */
export function showTimesIn(zone: string): void {
  page().zone = zone;
}

const prefersOwnTimes = cache(async (): Promise<boolean> => (await cookies()).get("times")?.value === "own");

/** The zone in which times are shown and typed on this page. */
export async function shownZone(practiceZone: string | undefined = page().zone): Promise<string> {
  return zoneFor(await timeReader(), practiceZone);
}

/** Whose times these are: the reader's own zone, and whether they would rather have times in it. */
export const timeReader = cache(async (): Promise<TimeReader> => ({
  own: await readerZone(),
  prefersOwn: await prefersOwnTimes(),
}));

type Props = {
  readonly at: Date;
  readonly as?: TimeStyle | undefined;
  /** The practice's, where a page has several. */
  readonly zone?: string | undefined;
};

/** An instant in the practice's zone; the exact one is in the title, in the reader's zone too where that differs. */
export function Time({ at, as = "moment", zone = page().zone }: Props) {
  // Not awaited, since a list has hundreds of these and each would be drawn by itself, later than all around it.
  return (
    <TimeText
      {...timeParts(at, as, { reader: use(timeReader()), zone })}
      full={as === "full" || as === "moment" || as === "on"}
    />
  );
}

/** How long ago it was, where no word beside it says so. */
export function Ago({ at }: { readonly at: Date }) {
  return (
    <span className="whitespace-nowrap">
      <Time at={at} as="age" /> ago
    </span>
  );
}

/** In whose time this page speaks, for people who cannot hover over one. */
export async function ZoneShown() {
  const [zone, own] = [await shownZone(), await readerZone()];
  const name = zone.replaceAll("_", " ");
  if (zone === own) return name;
  return `${name}; now ${instantText(new Date(), "clock", zone)}, for you ${instantText(new Date(), "clock", own)}`;
}
