"use client";

import { TextArea } from "#components/form/field";
import { SubmitButton } from "#components/form/submit-button";
import type { Possible } from "#lib/task/views";
import { DecisionForm, useFields } from "./decision.tsx";

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
  const field = useFields(intent);
  return (
    <DecisionForm intent={intent}>
      <TextArea label={label} {...field(name)} rows={2} required />
      <SubmitButton wide={wide}>{children}</SubmitButton>
    </DecisionForm>
  );
}
