import { Notice } from "#components/shell/notice";
import { archivedPartTexts } from "#lib/messages/reviewer/archived";
import type { CaseView } from "#lib/task/views";

type Props = {
  /** Why the archive did not give it; nothing is shown where it did. */
  readonly failure: CaseView["unread"]["notes"];
  /** Where the page shows this part, to ask again. */
  readonly href: string;
};

/** In place of what the archive did not give of a part of the case. */
export function ArchivedPart({ failure, href }: Props) {
  if (failure === undefined) return null;
  return (
    <Notice tone={failure === "away" ? "warn" : "bad"} className="mb-4 max-w-prose">
      {archivedPartTexts[failure]}
      {failure === "away" && <TryAgain href={href} />}
    </Notice>
  );
}

/** Asks the archive again, after a sentence that says what it did not give. */
export function TryAgain({ href }: { readonly href: string }) {
  return (
    <>
      {" "}
      {/* A plain link: the whole page is fetched anew. */}
      <a href={href} className="underline hover:text-ink print:hidden">
        Try again
      </a>
    </>
  );
}
