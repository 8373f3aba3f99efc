import { Section } from "#components/list/section";
import { QuotedText } from "#components/text/plain-text";
import { appealText } from "#lib/messages/reviewer/recourse";
import type { CaseView } from "#lib/task/views";

/** Why this revision contests the payer's determination. */
export function Appeal({ review: { appeal } }: Pick<CaseView, "review">) {
  if (!appeal) return null;
  return (
    <Section title={appealText[appeal.type]} aside="submitted manually">
      <QuotedText>{appeal.reason}</QuotedText>
    </Section>
  );
}
