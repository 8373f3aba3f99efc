import { Section } from "#components/list/section";
import { dayText } from "#components/text/instant";
import { QuotedText } from "#components/text/plain-text";
import type { ServiceReview } from "#lib/task/model/service-review";

/** What is to convince the payer, in the provider's words. */
export function ProviderNotes({ review: { providerNotes = [] } }: { readonly review: ServiceReview }) {
  if (providerNotes.length === 0) return null;
  return (
    <Section title="Provider notes" aside="Written by the agent. Submitted to the payer.">
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
