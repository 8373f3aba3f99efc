import { cookies } from "next/headers";
import { cache, use } from "react";
import { classNames } from "./class-names.ts";
import { instantText, spanOf, type InstantStyle } from "./instant.tsx";
import { readerZone } from "./reader-zone.ts";

export { instantText, readerZone, spanOf };

/** What this request's page is about; a page sets it before its parts are drawn. */
const page = cache((): { zone?: string } => ({}));

/** From here on times stand as clocks of this practice show them, unless the reader would rather have their own. */
export function showTimesIn(zone: string): void {
  page().zone = zone;
}

const wantsOwnTimes = cache(async (): Promise<boolean> => (await cookies()).get("times")?.value === "own");

/** The zone in which times are shown and typed on this page. */
export async function shownZone(practiceZone: string | undefined = page().zone): Promise<string> {
  return zoneOf(practiceZone, { wantsOwn: await wantsOwnTimes(), own: await readerZone() });
}

function zoneOf(practiceZone: string | undefined, { wantsOwn, own }: { wantsOwn: boolean; own: string }): string {
  return wantsOwn ? own : (practiceZone ?? own);
}

type Props = {
  readonly at: Date;
  readonly as?: InstantStyle | "age" | "until" | undefined;
  /** The practice's, where a page has several. */
  readonly zone?: string | undefined;
};

/** An instant in the practice's zone; the exact one is in the title, in the reader's zone too where that differs. */
export function Time({ at, as = "moment", zone: practiceZone = page().zone }: Props) {
  // Not awaited, since a list has hundreds of these and each would be drawn by itself, later than all around it.
  const own = use(readerZone());
  const zone = zoneOf(practiceZone, { wantsOwn: use(wantsOwnTimes()), own });
  const exact = new Set([instantText(at, "full", zone), instantText(at, "full", own)]);
  return (
    <time
      dateTime={at.toISOString()}
      title={[...exact].join("; for you ")}
      className={classNames("relative z-1", as !== "full" && "whitespace-nowrap")}
    >
      {textOf(at, as, zone)}
    </time>
  );
}

function textOf(at: Date, as: NonNullable<Props["as"]>, zone: string): string {
  const aheadMs = at.getTime() - Date.now();
  if (as === "age") return spanOf(aheadMs);
  if (as === "until") return aheadMs > 0 ? `in ${spanOf(aheadMs)}` : `${spanOf(aheadMs)} ago`;
  return instantText(at, as, zone);
}

/** In whose time this page speaks, for people who cannot hover over one. */
export async function ZoneShown() {
  const [zone, own] = [await shownZone(), await readerZone()];
  const name = zone.replaceAll("_", " ");
  if (zone === own) return name;
  return `${name}; now ${instantText(new Date(), "clock", zone)}, for you ${instantText(new Date(), "clock", own)}`;
}
