import { VisibleLine } from "#components/text/visible-line";
import type { MarkText } from "./row-text.ts";

/** Who is at work on a row's case, and how many notes it has. */
export function Mark({ mark: { claimedBy, reader, otherReaders, notes } }: { readonly mark: MarkText }) {
  return (
    <>
      {claimedBy && (
        <span className="text-sm text-news">
          Claimed by {claimedBy === "you" ? "you" : <VisibleLine parts={claimedBy} />}
        </span>
      )}
      {reader && (
        <span className="text-sm text-news">
          <VisibleLine parts={reader} />
          {otherReaders > 0 ? ` and ${otherReaders} more reading` : " is reading"}
        </span>
      )}
      {notes > 0 && <span className="text-sm text-ink-faint">{notes === 1 ? "1 note" : `${notes} notes`}</span>}
    </>
  );
}
