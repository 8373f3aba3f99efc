import { PlainText } from "#components/plain-text";
import type { DeskMark } from "#lib/tasks/desk-marks";

/** Who is at work on a row's case, and how many notes it has; nothing where there is nothing to say. */
export function Mark({ mark }: { readonly mark: DeskMark | undefined }) {
  if (!mark) return null;
  const { claim, readers, notes } = mark;
  const others = readers.filter((name) => name !== claim?.name);
  const [first] = others;
  return (
    <>
      {claim && (
        <span className="text-sm text-news">
          {claim.mine ? "Claimed by you" : <>Claimed by {<PlainText>{claim.name}</PlainText>}</>}
        </span>
      )}
      {first !== undefined && (
        <span className="text-sm text-news">
          <PlainText>{first}</PlainText>
          {others.length > 1 ? ` and ${others.length - 1} more reading` : " is reading"}
        </span>
      )}
      {notes > 0 && <span className="text-sm text-ink-faint">{notes === 1 ? "1 note" : `${notes} notes`}</span>}
    </>
  );
}
