import { ActForm } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import { Section } from "#components/list/section";
import { PlainText, QuotedText } from "#components/text/plain-text";
import { Time } from "#components/text/time";
import type { DeskView } from "#lib/queue/open-case";
import type { CaseView } from "#lib/task/views";
import { caseAddress } from "../case-address.ts";
import { ArchivedPart } from "./archived-part.tsx";
import { NoteArea } from "./note-area.tsx";
import { payerHasRevision } from "../header/payer-has.ts";
import { ProviderNotes } from "../request/provider-notes.tsx";
import { writeCaseNote } from "../team/desk-actions.ts";

type Props = {
  readonly view: CaseView;
  readonly desk: Pick<DeskView, "notes" | "noteId">;
  /** All of the agent's notes were asked for. */
  readonly areAllShown: boolean;
};

/** Everything anybody wrote about the case, by whom it is for: the payer, the reviewer, the reviewers among themselves. */
export function Notes({ view, desk, areAllShown }: Props) {
  const { review, notes, moreNotes, taskId, unread } = view;
  const none = (review.providerNotes ?? []).length === 0 && notes.length === 0 && unread.notes === undefined;
  return (
    <div className="p-4">
      {none && <p className="pb-4 text-ink-soft">The agent wrote no notes.</p>}
      <ArchivedPart failure={unread.notes} href={caseAddress(taskId, { tab: "notes" })} />
      <ProviderNotes review={review} isSubmitted={payerHasRevision(view)} />
      {notes.length > 0 && (
        <Section title="Notes to the reviewer" aside="Written by the agent. Not submitted." anchor="agent-notes">
          <div className="grid gap-3">
            {moreNotes && <OlderNotes taskId={taskId} areAllShown={areAllShown} />}
            {notes.map((note, index) => (
              <QuotedText key={index}>{note}</QuotedText>
            ))}
          </div>
        </Section>
      )}
      <div id="notes" className={none ? "print:hidden" : "border-t border-line pt-6 print:hidden"}>
        <ReviewerNotes taskId={taskId} desk={desk} />
      </div>
    </div>
  );
}

function OlderNotes({ taskId, areAllShown }: { readonly taskId: string; readonly areAllShown: boolean }) {
  if (areAllShown) return <p className="text-ink-soft">Older messages don't fit on one page.</p>;
  return (
    <p className="text-ink-soft print:hidden">
      Older notes aren't shown.{" "}
      <a
        href={`${caseAddress(taskId, { tab: "notes", notes: "all" })}#agent-notes`}
        className="underline hover:text-ink"
      >
        Show all notes
      </a>
    </p>
  );
}

/** What reviewers wrote to each other about the case, and room for the next note. */
function ReviewerNotes({ taskId, desk: { notes, noteId } }: { readonly taskId: string } & Pick<Props, "desk">) {
  return (
    <Section title="Notes among reviewers" aside="Never sent to the agent or the payer.">
      {notes.length > 0 && (
        <ol className="mb-4 grid gap-3">
          {notes.map(({ id, text, by, at }) => (
            <li key={id}>
              <p className="mb-0.5 text-sm text-ink-faint">
                <PlainText>{by}</PlainText>, <Time at={at} />
              </p>
              <QuotedText>{text}</QuotedText>
            </li>
          ))}
        </ol>
      )}
      <ActForm act={writeCaseNote} className="grid max-w-prose gap-2" data-form="note">
        <input type="hidden" name="taskId" value={taskId} />
        <input type="hidden" name="noteId" value={noteId} />
        <NoteArea />
        <div>
          <SubmitButton>Add note</SubmitButton>
        </div>
      </ActForm>
    </Section>
  );
}
