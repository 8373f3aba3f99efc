"use client";

import { TextArea, TextField } from "#components/field";
import { SubmitButton } from "#components/submit-button";
import { DecisionForm, useTyped } from "./decision.tsx";

export function BeginSendingForm() {
  return (
    <DecisionForm intent="begin-sending">
      <SubmitButton tone="release" wide>
        I am sending this
      </SubmitButton>
    </DecisionForm>
  );
}

export function SentForm() {
  const typed = useTyped("report-sent");
  return (
    <DecisionForm intent="report-sent">
      <ReferenceField typed={typed("reference")} />
      <SubmitButton tone="release" wide>
        Sent
      </SubmitButton>
    </DecisionForm>
  );
}

export function NotSentForm() {
  const typed = useTyped("report-not-sent");
  return (
    <DecisionForm intent="report-not-sent">
      <TextArea label="Why it could not be sent" name="reason" rows={2} required defaultValue={typed("reason")} />
      <SubmitButton>Could not send</SubmitButton>
    </DecisionForm>
  );
}

export function RefusedForm() {
  const typed = useTyped("report-refused");
  return (
    <DecisionForm intent="report-refused">
      <TextArea
        label="Why the payer would not take it"
        name="reason"
        rows={2}
        required
        defaultValue={typed("reason")}
      />
      <SubmitButton>Payer would not take it</SubmitButton>
    </DecisionForm>
  );
}

/** For doubt after sending: only a person who asked the payer can end it. */
export function SettleForm() {
  const typed = useTyped("settle");
  return (
    <DecisionForm intent="settle">
      <TextArea label="Whom you asked, how and when" name="how" rows={2} required defaultValue={typed("how")} />
      <ReferenceField typed={typed("reference")} />
      <SubmitButton name="payerHas" value="yes">
        The payer has it
      </SubmitButton>
      <SubmitButton name="payerHas" value="no">
        The payer has none
      </SubmitButton>
    </DecisionForm>
  );
}

function ReferenceField({ typed }: { readonly typed: string | undefined }) {
  return (
    <TextField
      label="Payer's reference"
      name="reference"
      maxLength={64}
      autoComplete="off"
      hint="Leave it empty where the payer gave none."
      defaultValue={typed}
    />
  );
}
