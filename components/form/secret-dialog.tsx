"use client";

import { useId, useRef } from "react";
import type { ActAnswer } from "./act-answer.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { Secret } from "./secret.tsx";

/** The secret that a form on a page made, above that page; only Done leads on. */
export function SecretDialog({ answer }: { readonly answer: ActAnswer }) {
  const here = useRef<HTMLDialogElement>(null);
  const id = useId();
  const { secret, secretText } = answer;
  if (secret === undefined || !secretText) return null;
  return (
    <FormDialog here={here} id={id} title={secretText.title} news={answer} stays>
      <Secret text={secret} about={secretText} />
    </FormDialog>
  );
}
