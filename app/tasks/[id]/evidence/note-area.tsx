"use client";

import { useEffect, useRef } from "react";
import { noAnswer } from "#components/form/act-answer";
import { ActTextArea, useAnswer } from "#components/form/act-form";
import { dropDraft, keepDraft, keptDraft } from "#components/form/drafts";
import { useDecision } from "../decision/decision.tsx";

const hint = "Type @ and a colleague's name to notify them.";

/** The next note. What was typed stays with the case in this tab, also after a decision led to another, until it is added. */
export function NoteArea() {
  const { shown, personId } = useDecision();
  const { taskId } = shown;
  const answer = useAnswer();
  const here = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const kept = keptDraft({ personId, taskId, field });
    if (here.current && here.current.value === "" && kept !== undefined) here.current.value = kept;
  }, [personId, taskId]);
  useEffect(() => {
    const isAdded = answer !== noAnswer && answer.typed === undefined;
    if (isAdded) dropDraft({ personId, taskId, field });
  }, [answer, personId, taskId]);
  return (
    <ActTextArea
      ref={here}
      name="text"
      label="New note"
      rows={2}
      maxLength={4000}
      required
      hint={hint}
      onInput={({ currentTarget: { value } }) => keepDraft({ personId, taskId, field }, value)}
    />
  );
}

const field = "note text";
