import type { ReactNode } from "react";
import type { CaseView, Possible } from "#lib/task/views";
import { DeterminationForm } from "./determination-form.tsx";
import { AcceptForm, AppealTermsForm, PeerToPeerForm } from "./recourse-forms.tsx";
import { VoidedForm, VoidRefusedForm, InformationRequestForm } from "./payer-forms.tsx";

/** What a person may record about the payer at most times, and seldom does. */
const records: readonly { readonly possible: Possible; readonly title: string; readonly Form: () => ReactNode }[] = [
  { possible: "record-peer-to-peer", title: "Record a peer-to-peer review", Form: PeerToPeerForm },
  { possible: "record-appeal-terms", title: "Record the appeal deadline", Form: AppealTermsForm },
  { possible: "accept-determination", title: "Accept the determination", Form: AcceptForm },
  { possible: "record-determination", title: "Record the payer's decision", Form: DeterminationForm },
  { possible: "record-information-request", title: "Record an information request", Form: InformationRequestForm },
  { possible: "record-void-refused", title: "Record that the payer refused the void", Form: VoidRefusedForm },
  { possible: "record-voided", title: "Record that the payer voided it", Form: VoidedForm },
];

/** What the payer said on another way than over its connection, folded away until it is needed. */
export function RecordForms({ view }: { readonly view: CaseView }) {
  const { can, connector, state, attention } = view;
  // A manual submission has the form of its determination among its steps.
  const isStep = connector === "manual" && state === "transmitted";
  const offered = records.filter(
    ({ possible }) => can.includes(possible) && !(isStep && possible === "record-determination"),
  );
  if (offered.length === 0) return null;
  return (
    <section
      aria-label="Record what the payer said"
      className="grid gap-1 border-line not-first:border-t not-first:pt-4"
    >
      {offered.map(({ possible, title, Form }) => (
        <details key={possible} open={attention === "contact-payer" && possible === "record-determination"}>
          <summary className="font-semibold text-ink-soft hover:text-ink">{title}</summary>
          <div className="mt-3 mb-4">
            <Form />
          </div>
        </details>
      ))}
    </section>
  );
}
