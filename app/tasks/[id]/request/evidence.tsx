import { QuotedText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import type { CaseView } from "#lib/task/views";
import { Attachments } from "./attachments.tsx";
import { ProviderNotes } from "./service-review.tsx";

type Props = {
  readonly view: CaseView;
  /** All notes were asked for. */
  readonly allNotes: boolean;
};

/** What is to convince the payer and the reviewer: the notes beside the files. A file that is opened takes the whole width. */
export function Evidence({ view, allNotes }: Props) {
  const { review, notes, moreNotes } = view;
  const none = (review.providerNotes ?? []).length === 0 && notes.length === 0;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 border-t border-line xl:grid-cols-2 xl:has-[details[open]]:grid-cols-[minmax(0,1fr)] [&>*]:min-w-0 [&_section]:border-t-0 [&_section]:pt-4! [&>*+*]:max-xl:border-t [&>*+*]:max-xl:border-line">
      <div>
        <ProviderNotes review={review} />
        {notes.length > 0 && (
          <Section title="Notes to the reviewer" aside="written by the agent" anchor="agent-notes">
            <div className="grid gap-3">
              {moreNotes && <OlderNotes taskId={view.taskId} areAllShown={allNotes} />}
              {notes.map((note, index) => (
                <QuotedText key={index}>{note}</QuotedText>
              ))}
            </div>
          </Section>
        )}
        {none && (
          <Section title="Notes">
            <p className="text-ink-soft">None.</p>
          </Section>
        )}
      </div>
      <div>
        <Attachments view={view} />
      </div>
    </div>
  );
}

function OlderNotes({ taskId, areAllShown }: { readonly taskId: string; readonly areAllShown: boolean }) {
  if (areAllShown)
    return <p className="text-ink-soft">What still older messages say is more than one page can hold.</p>;
  return (
    <p className="text-ink-soft print:hidden">
      What older messages say is left out here.{" "}
      <a href={`/tasks/${taskId}?notes=all#agent-notes`} className="underline hover:text-ink">
        Show all notes
      </a>
    </p>
  );
}
