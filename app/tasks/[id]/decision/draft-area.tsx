"use client";

import { useEffect, useRef, type ComponentProps } from "react";
import { TextArea } from "#components/form/field";
import type { Possible } from "#lib/task/views";
import { useDecision, useFields } from "./decision.tsx";
import { keepDraft, keptDraft } from "#components/form/drafts";

type Props = ComponentProps<typeof TextArea> & { readonly intent: Possible; readonly name: string };

/**
 * Words that are not lost: what the server refused is in place again, and what
 * was typed before a reload, by the same person, in this tab and at this gate, too.
 */
export function DraftArea({ intent, name, ...rest }: Props) {
  const { shown, personId } = useDecision();
  const { gateId } = shown;
  const field = useFields(intent)(name);
  const here = useRef<HTMLTextAreaElement>(null);
  const formField = `${intent} ${name}`;
  useEffect(() => {
    const kept = keptDraft({ personId, gateId, field: formField });
    if (here.current && here.current.value === "" && kept !== undefined) here.current.value = kept;
  }, [personId, gateId, formField]);
  return (
    <TextArea
      ref={here}
      {...field}
      rows={2}
      onInput={({ currentTarget: { value } }) => keepDraft({ personId, gateId, field: formField }, value)}
      {...rest}
    />
  );
}
