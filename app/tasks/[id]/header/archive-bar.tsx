import { Notice } from "#components/shell/notice";
import { archivedCaseText, archivedPartNames } from "#lib/messages/reviewer/archived";
import type { CaseView } from "#lib/task/views";
import { TryAgain } from "../evidence/archived-part.tsx";

const parts = ["notes", "calls", "records"] as const;

type Props = {
  readonly view: Pick<CaseView, "unread">;
  /** The page as it is shown, to ask again. */
  readonly href: string;
};

/** What the page lacks because the archive did not give it, above everything, so that nobody takes it for complete. */
export function ArchiveBar({ view: { unread }, href }: Props) {
  const lacking = parts.filter((part) => unread[part] !== undefined);
  if (lacking.length === 0) return null;
  return (
    <Notice tone="warn" className="mx-4 my-2 print:mx-0">
      {archivedCaseText(lacking.map((part) => archivedPartNames[part]).join(", "))}
      {lacking.some((part) => unread[part] === "away") && <TryAgain href={href} />}
    </Notice>
  );
}
