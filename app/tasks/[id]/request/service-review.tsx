import { Facts } from "#components/list/facts";
import { Section } from "#components/list/section";
import type { CaseView } from "#lib/task/views";
import { ChangeMarks } from "./change-marks.ts";
import { ProviderNotes } from "./provider-notes.tsx";
import { patientFacts, providerFacts, providersOf, requestFacts } from "./review-groups.tsx";
import { diagnosisList, Procedures } from "./review-lines.tsx";

type Props = { readonly view: Pick<CaseView, "review" | "payer" | "practice" | "codeSystems"> };

/** The service review as a sheet to print: who, how urgent, what, why, and by whom. */
export function ServiceReviewSheet({ view }: Props) {
  const { review } = view;
  const marks = new ChangeMarks();
  return (
    <>
      <div className="grid gap-x-8 border-t border-line first:border-t-0 xl:grid-cols-2 print:grid-cols-2 [&>section]:border-t-0 [&>section]:pt-4! max-xl:[&>section+section]:border-t print:[&>section+section]:border-t-0!">
        <Section title="Patient and coverage">
          <Facts list={patientFacts(view, marks)} />
        </Section>
        <Section title="Request">
          <Facts list={requestFacts(review, marks)} />
        </Section>
      </div>
      <Procedures view={view} />
      {review.diagnoses && review.diagnoses.length > 0 && (
        <Section title="Diagnoses">{diagnosisList(review.diagnoses, marks)}</Section>
      )}
      <Providers view={view} marks={marks} />
      <ProviderNotes review={review} />
    </>
  );
}

function Providers({ view: { review }, marks }: Props & { readonly marks: ChangeMarks }) {
  const providers = providersOf(review);
  if (providers.length === 0) return null;
  return (
    <Section title="Providers">
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {providers.map(({ role, of, at }) => (
          <Facts key={at} list={providerFacts(role, of, { at, marks })} />
        ))}
      </div>
    </Section>
  );
}
