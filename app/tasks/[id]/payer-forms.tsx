"use client";

import { outcomeText } from "#components/case-words";
import { SelectField, TextArea, TextField } from "#components/field";
import { SubmitButton } from "#components/submit-button";
import type { Outcome } from "#lib/domain/task";
import { DecisionForm, useDecision, useTyped } from "./decision.tsx";

const outcomes: readonly Outcome[] = ["approved", "modified", "partially-approved", "denied", "not-required"];

const choices = [
  { value: "", text: "Choose" },
  ...outcomes.map((outcome) => ({ value: outcome, text: outcomeText(outcome) })),
];

/** What the payer decided, as a person learned it. */
export function DeterminationForm() {
  const typed = useTyped("record-determination");
  const { shown } = useDecision();
  const outcome = typed("outcome");
  return (
    <DecisionForm intent="record-determination">
      <SelectField key={outcome} label="Outcome" name="outcome" options={choices} required defaultValue={outcome} />
      <TextField
        label="Authorization number"
        name="authorizationNumber"
        maxLength={64}
        autoComplete="off"
        defaultValue={typed("authorizationNumber")}
      />
      <div className="grid grid-cols-2 gap-2.5">
        <TextField label="Valid from" name="validFrom" type="date" defaultValue={typed("validFrom")} />
        <TextField label="Valid to" name="validTo" type="date" defaultValue={typed("validTo")} />
      </div>
      <TextField
        label="Decided at"
        name="decidedAt"
        type="datetime-local"
        hint={`By clocks in ${shown.zone.replaceAll("_", " ")}`}
        defaultValue={typed("decidedAt")}
      />
      <TextArea label="Note" name="note" rows={2} defaultValue={typed("note")} />
      <TextArea
        label="Evidence"
        name="evidence"
        hint="What this rests on: a letter, a call, a portal page."
        rows={2}
        required
        defaultValue={typed("evidence")}
      />
      <SubmitButton>Record determination</SubmitButton>
    </DecisionForm>
  );
}

export function WantsForm() {
  const typed = useTyped("record-wants");
  return (
    <DecisionForm intent="record-wants">
      <TextArea label="What the payer wants" name="wants" rows={2} required defaultValue={typed("wants")} />
      <SubmitButton>Record what it wants</SubmitButton>
    </DecisionForm>
  );
}

export function VoidRefusedForm() {
  const typed = useTyped("record-void-refused");
  return (
    <DecisionForm intent="record-void-refused">
      <TextArea label="Why the payer will not void it" name="reason" rows={2} required defaultValue={typed("reason")} />
      <SubmitButton>Record as refused</SubmitButton>
    </DecisionForm>
  );
}

export function VoidedForm() {
  const typed = useTyped("record-voided");
  return (
    <DecisionForm intent="record-voided">
      <TextArea
        label="How you know the payer voided it"
        name="evidence"
        rows={2}
        required
        defaultValue={typed("evidence")}
      />
      <SubmitButton>Record as voided</SubmitButton>
    </DecisionForm>
  );
}
