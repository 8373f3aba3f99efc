import { Changes } from "#components/list/changes";
import { QuotedText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { Time } from "#components/text/time";
import type { CaseView } from "#lib/task/views";
import { fieldText } from "#lib/messages/reviewer/fields";

type Props = { readonly changes: NonNullable<CaseView["changes"]> };

const changesAnchor = "changes";

/** What changed since a person last answered. */
export function SinceLastTime({ changes: { sinceRevision, list } }: Props) {
  return (
    <Section
      title={`Changed since revision ${sinceRevision}`}
      aside="the last one a reviewer answered"
      anchor={changesAnchor}
    >
      {list.length > 0 ? (
        <Changes list={list} caption={`Changes since revision ${sinceRevision}`} />
      ) : (
        <p className="text-ink-soft">Nothing in the service review or its attachments is different.</p>
      )}
    </Section>
  );
}

/** At the head of the case: how much that is, and the way there. */
export function ChangesInBrief({ changes: { sinceRevision, list } }: Props) {
  const count = list.length === 0 ? "no change" : list.length === 1 ? "1 change" : `${list.length} changes`;
  return (
    <a href={`#${changesAnchor}`} className="underline underline-offset-3 hover:text-ink">
      {count} since revision {sinceRevision}
    </a>
  );
}

/** Pinned beside the case: what a person asked the agent, and what it answered in words. */
export function AskedLastTime({ changes: { sinceRevision, question, answer, moreAnswer } }: Props) {
  if (!question) return null;
  return (
    <Section title="What you asked for last time" aside={`at revision ${sinceRevision}`}>
      <div className="grid gap-1.5">
        <p className="text-sm text-ink-faint">
          {question.by} asked at <Time at={question.at} />
        </p>
        <QuotedText>{question.text}</QuotedText>
        {question.fields.length > 0 && (
          <p className="text-sm text-ink-soft">About {question.fields.map(fieldText).join("; ").toLowerCase()}.</p>
        )}
        <p className="mt-2 text-sm text-ink-faint">The agent answers</p>
        {moreAnswer && <p className="text-ink-soft">What older messages say is left out here.</p>}
        {answer.map((note, index) => (
          <QuotedText key={index}>{note}</QuotedText>
        ))}
        {answer.length === 0 && <p className="text-ink-soft">Nothing in words, only by what it changed.</p>}
      </div>
    </Section>
  );
}
