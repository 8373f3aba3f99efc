"use client";

import { useActionState } from "react";
import { Button } from "#components/form/plain-button";
import { TextField } from "#components/form/field";
import { Notice } from "#components/shell/notice";
import type { LookAnswer } from "./actions.tsx";

type Props = { readonly look: (before: LookAnswer, form: FormData) => Promise<LookAnswer> };

/** Asks for a channel's key and shows its channel below. The field is empty after each look, so that no key stays on a screen. */
export function KeyForm({ look }: Props) {
  const [{ isUnknown, shown }, act, isLooking] = useActionState(look, { isUnknown: false, shown: null });
  return (
    <>
      <form action={act} className="mb-8 grid max-w-md gap-3.5">
        {isUnknown && (
          <Notice tone="bad" role="alert">
            Not authorised. The key is wrong, expired or revoked, or may not be used from here.
          </Notice>
        )}
        <TextField
          label="Channel key"
          name="key"
          type="password"
          required
          autoComplete="off"
          spellCheck={false}
          hint="Or an access token. It is used for this look and not kept."
        />
        <div>
          <Button disabled={isLooking}>{isLooking ? "Looking" : "Show the channel"}</Button>
        </div>
      </form>
      {shown}
    </>
  );
}
