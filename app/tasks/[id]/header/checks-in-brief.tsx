import { CircleAlert, TriangleAlert } from "lucide";
import { Icon } from "#components/shell/icon";
import { PlainText } from "#components/text/plain-text";
import { checkSentences } from "#lib/messages/reviewer/checks";
import type { CaseView } from "#lib/task/views";

/** On a screen with one column, where the decision is far below: what speaks against the release, a line each. */
export function ChecksInBrief({ view: { checks, gate } }: { readonly view: CaseView }) {
  const serious = checks.filter(({ level, needsReason }) => level === "block" || needsReason);
  if (gate?.status !== "open" || serious.length === 0) return null;
  return (
    <ul className="grid gap-2 border-b border-line px-4 py-3 lg:hidden print:hidden">
      {checkSentences(serious).map(({ check, text }) => {
        const isBlock = check.level === "block";
        return (
          <li key={check.key} className="flex gap-2 wrap-anywhere">
            <Icon
              of={isBlock ? CircleAlert : TriangleAlert}
              className={`mt-0.5 shrink-0 ${isBlock ? "text-bad" : "text-warn"}`}
            />
            <span>
              <span className="sr-only">{isBlock ? "Blocks the release: " : "Warning: "}</span>
              <PlainText>{text}</PlainText>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
