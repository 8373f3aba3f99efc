"use client";

import { CheckboxField, SelectField } from "#components/form/field";
import type { ProofKind } from "#components/form/act-answer";
import { ProofField } from "#components/form/proof-field";
import { SubmitButton } from "#components/form/submit-button";
import type { DeclineCode } from "#lib/task/model/decline-code";
import { DecisionForm, useTyped } from "./decision.tsx";
import { OverWarnings } from "./over-warnings.tsx";
import { DraftArea } from "./draft-area.tsx";
import type { FieldOption } from "#lib/messages/reviewer/fields";

export function ReleaseForm({ asksProof }: { readonly asksProof: ProofKind | undefined }) {
  return (
    <DecisionForm intent="release">
      <OverWarnings />
      {asksProof && (
        <ProofField
          kind={asksProof}
          hint="The practice asks for it before this is released; it holds for ten minutes."
        />
      )}
      <SubmitButton tone="release" wide shortcut="r">
        Release
      </SubmitButton>
    </DecisionForm>
  );
}

export function TakeBackForm() {
  return (
    <DecisionForm intent="withdraw-vote">
      <SubmitButton wide>Withdraw my release</SubmitButton>
    </DecisionForm>
  );
}

const whys = [
  { value: "", text: "–" },
  { value: "wrong-patient-or-coverage", text: "Wrong patient or coverage" },
  { value: "duplicate", text: "Duplicate of another request" },
  { value: "not-supported", text: "Not medically supported by what is attached" },
  { value: "wrong-code-or-units", text: "Wrong code or units" },
  { value: "wrong-payer", text: "Wrong payer" },
  { value: "missing-documents", text: "Documents are missing" },
  { value: "withdrawn-by-practice", text: "The practice no longer wants it" },
  { value: "other", text: "Other" },
] as const satisfies readonly { readonly value: DeclineCode | ""; readonly text: string }[];

export function DeclineForm() {
  const typed = useTyped("decline");
  const code = typed("code");
  return (
    <DecisionForm intent="decline">
      <SelectField key={code} label="Decline reason" name="code" options={whys} defaultValue={code ?? ""} />
      <DraftArea intent="decline" label="Reason" name="reason" hint="Optional. Shared with the agent." />
      <SubmitButton tone="danger" shortcut="d">
        Decline
      </SubmitButton>
    </DecisionForm>
  );
}

export function SendBackForm({ fields }: { readonly fields: readonly FieldOption[] }) {
  const typed = useTyped("request-information");
  const ticked = (pointer: string) => typed(`field:${pointer}`) !== undefined;
  return (
    <DecisionForm intent="request-information">
      <DraftArea
        intent="request-information"
        label="Question to the agent"
        name="question"
        hint="The case stays open. The agent answers with a new revision."
        required
      />
      <details open={fields.some(({ pointer }) => ticked(pointer))}>
        <summary className="text-sm text-ink-soft hover:text-ink">Select the fields this is about</summary>
        <fieldset className="mt-1 max-h-60 overflow-y-auto rounded-md border border-line px-2.5 py-1">
          <legend className="sr-only">Fields this is about</legend>
          {fields.map(({ pointer, text }) => (
            <CheckboxField
              key={pointer}
              label={text}
              name={`field:${pointer}`}
              value="on"
              defaultChecked={ticked(pointer)}
            />
          ))}
        </fieldset>
      </details>
      <SubmitButton shortcut="i">Request information</SubmitButton>
    </DecisionForm>
  );
}

export function RecallForm() {
  return (
    <DecisionForm intent="recall">
      <SubmitButton tone="danger" shortcut="u">
        Undo
      </SubmitButton>
    </DecisionForm>
  );
}

export function AdoptForm() {
  return (
    <DecisionForm intent="adopt">
      <SubmitButton wide>Take ownership</SubmitButton>
    </DecisionForm>
  );
}

export function AttendForm() {
  return (
    <DecisionForm intent="attend">
      <SubmitButton>Mark as handled</SubmitButton>
    </DecisionForm>
  );
}
