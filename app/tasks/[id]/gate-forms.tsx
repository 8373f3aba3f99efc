"use client";

import { TextArea, TextField } from "#components/field";
import { SubmitButton } from "#components/submit-button";
import { DecisionForm, useTyped } from "./decision.tsx";
import { OverWarnings } from "./over-warnings.tsx";

export function ReleaseForm({ asksProof }: { readonly asksProof: boolean }) {
  return (
    <DecisionForm intent="release">
      <OverWarnings />
      {asksProof && (
        <TextField
          label="Your password"
          name="password"
          type="password"
          autoComplete="current-password"
          hint="The practice asks for it before this is released; it holds for ten minutes."
          required
        />
      )}
      <SubmitButton tone="release" wide>
        Release
      </SubmitButton>
    </DecisionForm>
  );
}

export function TakeBackForm() {
  return (
    <DecisionForm intent="take-back">
      <SubmitButton wide>Take my release back</SubmitButton>
    </DecisionForm>
  );
}

export function DeclineForm() {
  const typed = useTyped("decline");
  return (
    <DecisionForm intent="decline">
      <TextArea
        label="Reason"
        name="reason"
        hint="The agent reads it."
        rows={2}
        required
        defaultValue={typed("reason")}
      />
      <SubmitButton tone="danger">Decline</SubmitButton>
    </DecisionForm>
  );
}

export function SendBackForm() {
  const typed = useTyped("send-back");
  return (
    <DecisionForm intent="send-back">
      <TextArea
        label="Question to the agent"
        name="question"
        hint="The case stays open; the answer comes back as a new revision."
        rows={2}
        required
        defaultValue={typed("question")}
      />
      <SubmitButton>Send back</SubmitButton>
    </DecisionForm>
  );
}

export function RecallForm() {
  return (
    <DecisionForm intent="recall">
      <SubmitButton tone="danger">Recall</SubmitButton>
    </DecisionForm>
  );
}

export function AdoptForm() {
  return (
    <DecisionForm intent="adopt">
      <SubmitButton wide>Adopt this case</SubmitButton>
    </DecisionForm>
  );
}

export function AttendForm() {
  return (
    <DecisionForm intent="attend">
      <SubmitButton>I have seen to it</SubmitButton>
    </DecisionForm>
  );
}
