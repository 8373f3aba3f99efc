import { Changes } from "#components/changes";
import { QuotedText } from "#components/plain-text";
import { Section } from "#components/section";
import { Time } from "#components/time";
import type { CaseView } from "#lib/tasks/views";
import { fieldText } from "./field-words.ts";

type Props = { readonly changes: NonNullable<CaseView["changes"]> };

/** What changed since a person last answered; where they had asked something, the question beside what the agent answers. */
export function SinceLastTime({ changes: { sinceRevision, list, question, answer } }: Props) {
  const caption = `Changes since revision ${sinceRevision}`;
  return (
    <>
      {question && (
        <Section title="What you asked for last time" aside={`at revision ${sinceRevision}`}>
          <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
            <div className="grid content-start gap-1.5">
              <p className="text-sm text-ink-faint">
                {question.by} asked at <Time at={question.at} />
              </p>
              <QuotedText>{question.text}</QuotedText>
              {question.fields.length > 0 && (
                <p className="text-sm text-ink-soft">
                  About {question.fields.map(fieldText).join("; ").toLowerCase()}.
                </p>
              )}
            </div>
            <div className="grid content-start gap-1.5">
              <p className="text-sm text-ink-faint">The agent answers</p>
              {answer.map((note, index) => (
                <QuotedText key={index}>{note}</QuotedText>
              ))}
              {answer.length === 0 && <p className="text-ink-soft">Nothing in words, only what changed below.</p>}
            </div>
          </div>
        </Section>
      )}
      <Section title={`Changed since revision ${sinceRevision}`} aside="the last one a reviewer answered">
        {list.length > 0 ? (
          <Changes list={list} caption={caption} />
        ) : (
          <p className="text-ink-soft">Nothing in the service review or its attachments is different.</p>
        )}
      </Section>
    </>
  );
}
