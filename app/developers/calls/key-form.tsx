"use client";

import { ActBody, ActButtons, ActText, useAct } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import { lookWithKey, type LookAnswer } from "./actions.ts";
import { OwnChannelView } from "./own-channel-view.tsx";

/** Asks for a channel's key and shows its channel below. The field is empty after each look, so that no key stays on a screen. */
export function KeyForm() {
  const [answer, submit] = useAct<LookAnswer>(lookWithKey);
  return (
    <>
      <ActBody answer={answer} submit={submit} className="mb-8 grid max-w-md gap-3.5">
        <ActText
          label="API key"
          name="key"
          type="password"
          required
          autoComplete="off"
          spellCheck={false}
          hint="Or an access token. It is used for this look and not kept."
        />
        <ActButtons>
          <SubmitButton>Show the channel</SubmitButton>
        </ActButtons>
      </ActBody>
      {answer.look && <OwnChannelView {...answer.look} />}
    </>
  );
}
