"use client";

import { proofMinutes } from "#lib/access/model/proof";
import { CheckboxField } from "#components/form/choice-fields";
import { SelectField } from "#components/form/field";
import type { ProofKind } from "#components/form/act-answer";
import { ProofField } from "#components/form/proof-field";
import { SubmitButton } from "#components/form/submit-button";
import { EnvironmentMark } from "#components/list/badge";
import { DecisionForm, useFields } from "./decision.tsx";
import { DraftArea } from "./draft-area.tsx";
import { declineOptions } from "#lib/messages/labels/decline-reasons";
import type { FieldOption } from "#lib/messages/reviewer/fields";

type ReleaseProps = {
  /** The act, named by what it comes to. */
  readonly name: string;
  readonly isVoid: boolean;
  readonly isTest: boolean;
  readonly asksProof: ProofKind | undefined;
};

export function ReleaseForm({ name, isVoid, isTest, asksProof }: ReleaseProps) {
  return (
    <DecisionForm intent="release">
      {asksProof && (
        <ProofField
          kind={asksProof}
          hint={`The practice requires it before this is released. It is valid for ${proofMinutes} minutes.`}
        />
      )}
      <SubmitButton tone={isVoid ? "void" : "release"} wide large shortcut="r">
        {name}
        {isTest && <EnvironmentMark environment="test" />}
      </SubmitButton>
    </DecisionForm>
  );
}

export function TakeBackForm() {
  return (
    <DecisionForm intent="withdraw-vote">
      <SubmitButton wide>Withdraw your release</SubmitButton>
    </DecisionForm>
  );
}

const whys = [{ value: "", text: "Select a reason" }, ...declineOptions];

export function DeclineForm({ name }: { readonly name: string }) {
  const field = useFields("decline");
  const code = field("code");
  return (
    <DecisionForm intent="decline">
      <SelectField key={code.defaultValue} label="Decline reason" {...code} options={whys} />
      <DraftArea
        intent="decline"
        label="Decline details (optional)"
        name="reason"
        hint="Shared with the agent. Required if the reason is Other."
      />
      <SubmitButton tone="danger" wide large shortcut="d">
        {name}
      </SubmitButton>
    </DecisionForm>
  );
}

type SendBackProps = {
  readonly fields: readonly FieldOption[];
  /** Those that a check found something wrong with, ticked beforehand. */
  readonly suspected: readonly string[];
};

export function SendBackForm({ fields, suspected }: SendBackProps) {
  const field = useFields("request-information");
  const { error } = field("fields");
  const isAnswered = field("question").defaultValue !== undefined;
  const isTicked = (pointer: string) =>
    isAnswered ? field(`field:${pointer}`).defaultValue !== undefined : suspected.includes(pointer);
  return (
    <DecisionForm intent="request-information">
      <fieldset className="min-w-0">
        <legend className="mb-1 text-sm font-semibold">Fields the agent should check</legend>
        <div className="grid max-h-44 grid-cols-2 gap-x-3 overflow-y-auto rounded-md border border-line bg-surface px-3 py-1 max-[24rem]:grid-cols-1">
          {fields.map(({ pointer, text }) => (
            <CheckboxField
              key={pointer}
              label={text}
              name={`field:${pointer}`}
              value="on"
              defaultChecked={isTicked(pointer)}
              className="text-sm"
            />
          ))}
        </div>
        {error !== undefined && <p className="mt-1 text-sm font-semibold text-bad">{error}</p>}
      </fieldset>
      <DraftArea
        intent="request-information"
        label="Question to the agent"
        name="question"
        data-entered=""
        hint="Optional if fields are selected. The case stays open; the agent answers with a new revision."
      />
      <SubmitButton tone="primary" wide large shortcut="i">
        Request information
      </SubmitButton>
    </DecisionForm>
  );
}

export function RecallForm() {
  return (
    <DecisionForm intent="recall">
      <SubmitButton shortcut="u">Undo</SubmitButton>
    </DecisionForm>
  );
}

export function AdoptForm() {
  return (
    <DecisionForm intent="adopt">
      <SubmitButton tone="primary" wide>
        Take ownership
      </SubmitButton>
    </DecisionForm>
  );
}

export function AttendForm() {
  return (
    <DecisionForm intent="attend">
      <SubmitButton wide>Mark as handled</SubmitButton>
    </DecisionForm>
  );
}
