"use client";

import { TextArea } from "#components/form/field";
import { SubmitButton } from "#components/form/submit-button";
import { DecisionForm, useProblem, useTyped } from "./decision.tsx";

export function InformationRequestForm() {
  const typed = useTyped("record-information-request");
  const problem = useProblem("record-information-request");
  return (
    <DecisionForm intent="record-information-request">
      <TextArea
        label="Requested information"
        name="informationRequest"
        rows={2}
        required
        defaultValue={typed("informationRequest")}
        error={problem("informationRequest")}
      />
      <SubmitButton>Record information request</SubmitButton>
    </DecisionForm>
  );
}

export function VoidRefusedForm() {
  const typed = useTyped("record-void-refused");
  const problem = useProblem("record-void-refused");
  return (
    <DecisionForm intent="record-void-refused">
      <TextArea
        label="Why the payer refused the void"
        name="reason"
        rows={2}
        required
        defaultValue={typed("reason")}
        error={problem("reason")}
      />
      <SubmitButton>Record as refused</SubmitButton>
    </DecisionForm>
  );
}

export function VoidedForm() {
  const typed = useTyped("record-voided");
  const problem = useProblem("record-voided");
  return (
    <DecisionForm intent="record-voided">
      <TextArea
        label="How you know the payer voided it"
        name="evidence"
        rows={2}
        required
        defaultValue={typed("evidence")}
        error={problem("evidence")}
      />
      <SubmitButton>Record as voided</SubmitButton>
    </DecisionForm>
  );
}
