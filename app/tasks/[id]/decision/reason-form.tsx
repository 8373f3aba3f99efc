"use client";

import { TextArea } from "#components/form/field";
import { SubmitButton } from "#components/form/submit-button";
import type { Possible } from "#lib/task/views";
import { DecisionForm, useProblem, useTyped } from "./decision.tsx";

type Props = {
  readonly intent: Possible;
  readonly label: string;
  /** The field, as the verb reads it. */
  readonly name?: "reason" | "evidence" | "informationRequest" | undefined;
  readonly wide?: boolean | undefined;
  /** The words of the button. */
  readonly children: string;
};

/** A decision that takes one text. */
export function ReasonForm({ intent, label, name = "reason", wide, children }: Props) {
  const [typed, problem] = [useTyped(intent), useProblem(intent)];
  return (
    <DecisionForm intent={intent}>
      <TextArea label={label} name={name} rows={2} required defaultValue={typed(name)} error={problem(name)} />
      <SubmitButton wide={wide}>{children}</SubmitButton>
    </DecisionForm>
  );
}
