"use client";

import { SelectField, TextArea, TextField } from "#components/form/field";
import { SubmitButton } from "#components/form/submit-button";
import { DecisionForm, useDecision, useTyped } from "./decision.tsx";

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
  { value: "upheld", text: "Denial upheld" },
  { value: "open", text: "Payer will decide later" },
];

/** A talk of the practice's clinician with the payer's about a determination. */
export function PeerToPeerForm() {
  const typed = useTyped("record-peer-to-peer");
  const { shown } = useDecision();
  const [status, outcome] = [typed("status"), typed("outcome")];
  return (
    <DecisionForm intent="record-peer-to-peer">
      <div className="group/talk grid gap-2.5">
        <SelectField key={status} label="Status" name="status" options={statuses} required defaultValue={status} />
        <TextField
          label="Date and time"
          name="at"
          type="datetime-local"
          hint={`Required once it is scheduled. Time zone: ${shown.zone.replaceAll("_", " ")}`}
          defaultValue={typed("at")}
        />
        <div className="hidden group-has-[option[value=held]:checked]/talk:block">
          <SelectField key={outcome} label="Outcome" name="outcome" options={outcomes} defaultValue={outcome} />
        </div>
      </div>
      <TextField label="Our clinician" name="clinician" autoComplete="off" defaultValue={typed("clinician")} />
      <TextField label="Payer's clinician" name="counterpart" autoComplete="off" defaultValue={typed("counterpart")} />
      <TextArea label="Note" name="note" rows={2} defaultValue={typed("note")} />
      <SubmitButton>Record peer-to-peer review</SubmitButton>
    </DecisionForm>
  );
}

/** What the payer's letter says about contesting its determination. */
export function AppealTermsForm() {
  const typed = useTyped("record-appeal-terms");
  return (
    <DecisionForm intent="record-appeal-terms">
      <TextField label="Last day to appeal" name="by" type="date" defaultValue={typed("by")} />
      <TextArea
        label="How to appeal"
        name="how"
        hint="In the payer's words. Shared with the agent."
        rows={2}
        defaultValue={typed("how")}
      />
      <TextArea
        label="Evidence"
        name="evidence"
        hint="For example, the letter's date and page, or the call's number."
        rows={2}
        required
        defaultValue={typed("evidence")}
      />
      <SubmitButton>Record appeal deadline</SubmitButton>
    </DecisionForm>
  );
}

export function AcceptForm() {
  const typed = useTyped("accept-determination");
  return (
    <DecisionForm intent="accept-determination">
      <TextArea label="Reason" name="reason" rows={2} required defaultValue={typed("reason")} />
      <SubmitButton>Accept determination</SubmitButton>
    </DecisionForm>
  );
}
