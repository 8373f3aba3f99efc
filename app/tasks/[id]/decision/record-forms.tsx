import type { ReactNode } from "react";
import type { CaseView, Possible } from "#lib/task/views";
import { DeterminationForm } from "./determination-form.tsx";
import { AcceptForm, AppealTermsForm, PeerToPeerForm } from "./recourse-forms.tsx";
import { ReasonForm } from "./reason-form.tsx";

type RecordForm = { readonly possible: Possible; readonly title: string; readonly form: ReactNode };

/** What is done about a determination against the request, in the order in which it mostly is. */
const responses: readonly RecordForm[] = [
  { possible: "record-peer-to-peer", title: "Record a peer-to-peer review", form: <PeerToPeerForm /> },
  { possible: "record-appeal-terms", title: "Record the appeal deadline", form: <AppealTermsForm /> },
  { possible: "accept-determination", title: "Accept the determination", form: <AcceptForm /> },
];

/** What a person may record of the payer at most times, and seldom does. */
const updates: readonly RecordForm[] = [
  { possible: "record-determination", title: "Record the payer's decision", form: <DeterminationForm /> },
  {
    possible: "record-information-request",
    title: "Record an information request",
    form: (
      <ReasonForm intent="record-information-request" label="Requested information" name="informationRequest">
        Record information request
      </ReasonForm>
    ),
  },
  {
    possible: "record-void-refused",
    title: "Record that the payer refused the void",
    form: (
      <ReasonForm intent="record-void-refused" label="Why the payer refused the void">
        Record as refused
      </ReasonForm>
    ),
  },
  {
    possible: "record-voided",
    title: "Record that the payer voided it",
    form: (
      <ReasonForm intent="record-voided" label="How you know the payer voided it" name="evidence">
        Record as voided
      </ReasonForm>
    ),
  },
];

/** What a person records beside what comes over the payer's connection, folded away until it is needed. */
export function RecordForms({ view }: { readonly view: CaseView }) {
  return (
    <>
      <Group title="Respond to the determination" records={responses} view={view} />
      <Group title="Record a payer update" records={updates} view={view} />
    </>
  );
}

type GroupProps = { readonly title: string; readonly records: readonly RecordForm[]; readonly view: CaseView };

function Group({ title, records, view: { can, connector, state, attention } }: GroupProps) {
  // A manual submission has the form of its determination among its steps.
  const isStep = connector === "manual" && state === "transmitted";
  const offered = records.filter(
    ({ possible }) => can.includes(possible) && !(isStep && possible === "record-determination"),
  );
  if (offered.length === 0) return null;
  return (
    <section aria-label={title} className="grid gap-1 border-line not-first:border-t not-first:pt-4">
      <h3 className="mb-1 text-xs font-semibold text-ink-faint">{title}</h3>
      {offered.map(({ possible, title: name, form }) => (
        <details key={possible} open={attention === "contact-payer" && possible === "record-determination"}>
          <summary className="font-semibold text-ink-soft hover:text-ink">{name}</summary>
          {/* Named, so that a screen reader says which record a field belongs to: several have a reason or evidence. */}
          <div role="group" aria-label={name} className="mt-3 mb-4">
            {form}
          </div>
        </details>
      ))}
    </section>
  );
}
