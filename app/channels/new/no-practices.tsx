"use client";

import { useAnswer } from "#components/form/act-form";
import { CheckboxField } from "#components/form/choice-fields";

/** Whoever creates a channel without a practice says so, once they were warned. */
export function NoPractices() {
  const { problems, typed } = useAnswer();
  if (problems.practices === undefined || (typed?.practices?.length ?? 0) > 0) return null;
  return <CheckboxField name="withoutPractices" value="yes" label="Create the channel without practice access" />;
}
