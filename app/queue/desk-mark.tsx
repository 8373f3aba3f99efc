import { VisibleLine } from "#components/text/visible-line";
import type { MarkText } from "./row-text.ts";

/** Who has a row's case open, and how many notes it has. */
export function Mark({ mark: { reader, otherReaders, notes } }: { readonly mark: MarkText }) {
  return (
    <>
      {reader && (
        <span className="text-sm text-news">
          <VisibleLine parts={reader} />
          {otherReaders > 0 ? ` and ${otherReaders} more viewing` : " is viewing"}
        </span>
      )}
      {notes > 0 && <span className="text-sm text-ink-faint">{notes === 1 ? "1 note" : `${notes} notes`}</span>}
    </>
  );
}
