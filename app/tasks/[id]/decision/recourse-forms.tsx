"use client";

import { SelectField, TextArea, TextField } from "#components/form/field";
import { SubmitButton } from "#components/form/submit-button";
import { DecisionForm, useDecision, useFields } from "./decision.tsx";

const statuses = [
  { value: "", text: "Select" },
  { value: "requested", text: "Requested from the payer" },
  { value: "scheduled", text: "Scheduled" },
  { value: "held", text: "Held" },
  { value: "canceled", text: "Canceled" },
];

const outcomes = [
  { value: "", text: "Select" },
  { value: "overturned", text: "Payer will approve" },
  { value: "overturned-in-part", text: "Payer will approve in part" },
  { value: "upheld", text: "Determination upheld" },
  { value: "open", text: "Payer will decide later" },
];

/** A talk of the practice's clinician with the payer's about a determination. */
export function PeerToPeerForm() {
  const field = useFields("record-peer-to-peer");
  const { shown } = useDecision();
  const [status, outcome] = [field("status"), field("outcome")];
  return (
    <DecisionForm intent="record-peer-to-peer">
      <div className="group/talk grid gap-2.5">
        <SelectField key={status.defaultValue} label="Status" {...status} options={statuses} required />
        <TextField
          label="Date and time"
          {...field("at")}
          type="datetime-local"
          hint={`Required once it is scheduled. Time zone: ${shown.zone.replaceAll("_", " ")}`}
        />
        <div className="hidden group-has-[option[value=held]:checked]/talk:block">
          <SelectField key={outcome.defaultValue} label="Outcome" {...outcome} options={outcomes} />
        </div>
      </div>
      <TextField label="Our clinician" {...field("clinician")} autoComplete="off" />
      <TextField label="Payer's clinician" {...field("counterpart")} autoComplete="off" />
      <TextArea label="Note" {...field("note")} rows={2} />
      <SubmitButton>Record peer-to-peer review</SubmitButton>
    </DecisionForm>
  );
}

/** What the payer's letter says about contesting its determination. What is known is in place, because a record replaces it. */
export function AppealTermsForm() {
  const field = useFields("record-appeal-terms");
  const { shown } = useDecision();
  return (
    <DecisionForm intent="record-appeal-terms">
      <TextField label="Last day to appeal" {...field("by", shown.appeal?.by)} type="date" />
      <TextArea
        label="How to appeal"
        {...field("how", shown.appeal?.how)}
        hint="In the payer's words. Shared with the agent."
        rows={2}
      />
      <TextArea
        label="Evidence"
        {...field("evidence")}
        hint="For example, the letter's date and page, or the call's number."
        rows={2}
        required
      />
      <SubmitButton>Record appeal deadline</SubmitButton>
    </DecisionForm>
  );
}

export function AcceptForm() {
  const field = useFields("accept-determination");
  return (
    <DecisionForm intent="accept-determination">
      <TextArea label="Reason" {...field("reason")} rows={2} required />
      <SubmitButton>Accept determination</SubmitButton>
    </DecisionForm>
  );
}
