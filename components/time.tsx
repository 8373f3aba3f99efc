import { instantText, spanOf, type InstantStyle } from "./instant.tsx";
import { readerZone } from "./reader-zone.ts";

export { instantText, readerZone, spanOf };

type Props = { readonly at: Date; readonly as?: InstantStyle | "age" | "until" | undefined };

/** An instant in the reader's zone; the exact one, with its zone, is in the title and in `datetime`. */
export async function Time({ at, as = "moment" }: Props) {
  const zone = await readerZone();
  return (
    <time dateTime={at.toISOString()} title={instantText(at, "full", zone)} className="relative z-1 whitespace-nowrap">
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
