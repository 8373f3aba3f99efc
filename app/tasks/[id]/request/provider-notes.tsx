import { Section } from "#components/list/section";
import { dayText } from "#lib/messages/labels/instant";
import { QuotedText } from "#components/text/plain-text";
import { providerNotesAside } from "#lib/messages/reviewer/case";
import type { ServiceReview } from "#lib/task/model/service-review";

type Props = {
  readonly review: ServiceReview;
  /** The payer has this revision, and so these notes. */
  readonly isSubmitted?: boolean | undefined;
};

/** What is to convince the payer, in the provider's words. */
export function ProviderNotes({ review: { providerNotes = [] }, isSubmitted = false }: Props) {
  if (providerNotes.length === 0) return null;
  return (
    <Section title="Provider notes" aside={providerNotesAside(isSubmitted)}>
      <div className="grid gap-3">
        {providerNotes.map(({ message, date }, index) => (
          <div key={index}>
            {date !== undefined && <p className="mb-1 text-sm text-ink-faint">{dayText(date)}</p>}
            <QuotedText>{message}</QuotedText>
          </div>
        ))}
      </div>
    </Section>
  );
}
