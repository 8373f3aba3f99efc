import { ActForm, ActTextArea } from "#components/form/act-form";
import { PlainText, QuotedText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { SubmitButton } from "#components/form/submit-button";
import { Time } from "#components/text/time";
import type { DeskView } from "#lib/queue/open-case";
import { writeCaseNote } from "./desk-actions.ts";

const mentionHint = "Type @ and a colleague's name to notify them.";

type Props = { readonly taskId: string; readonly noteId: string; readonly list: DeskView["notes"] };

/** What reviewers wrote to each other about the case, and room for the next note. */
export function CaseNotes({ taskId, noteId, list }: Props) {
  return (
    <div id="notes" className="border-t border-line pt-4 print:hidden">
      <Section title="Notes among reviewers" aside="never sent to the agent or the payer">
        {list.length > 0 && (
          <ol className="mb-4 grid gap-3">
            {list.map(({ id, text, by, at }) => (
              <li key={id}>
                <p className="mb-0.5 text-sm text-ink-faint">
                  <PlainText>{by}</PlainText>, <Time at={at} />
                </p>
                <QuotedText>{text}</QuotedText>
              </li>
            ))}
          </ol>
        )}
        <ActForm act={writeCaseNote} className="grid max-w-prose gap-2.5" data-form="note">
          <input type="hidden" name="taskId" value={taskId} />
          <input type="hidden" name="noteId" value={noteId} />
          <ActTextArea name="text" label="New note" rows={2} maxLength={4000} required hint={mentionHint} />
          <div>
            <SubmitButton>Add the note</SubmitButton>
          </div>
        </ActForm>
      </Section>
    </div>
  );
}
