"use client";

import { useEffect, useRef, useState } from "react";
import { ActBody, ActButtons, ActText, useAct } from "#components/form/act-form";
import { Notice } from "#components/shell/notice";
import { RecoveryCodes } from "#components/form/recovery-codes";
import { SubmitButton } from "#components/form/submit-button";
import { useHasPasskeys } from "#components/form/use-has-passkeys";
import { makePasskey } from "#components/form/passkey";
import { finishPasskey, startPasskey, type StartAnswer } from "./actions.ts";

/** What came of the device's answer. */
type Outcome = { readonly kind: "idle" | "failed" } | { readonly kind: "added"; readonly codes: readonly string[] };

/** Adds a passkey: the server says what to make, the device makes it, the server checks it. */
export function NewPasskey() {
  const [answer, submit] = useAct<StartAnswer>(startPasskey);
  const [outcome, setOutcome] = useState<Outcome>({ kind: "idle" });
  const name = useRef<HTMLInputElement>(null);
  const options = answer.passkey;
  useEffect(() => {
    if (!options) return;
    const make = async (): Promise<Outcome> => {
      const made = await makePasskey(options);
      const codes = made && (await finishPasskey({ response: made, name: name.current?.value ?? "" }));
      return codes ? { kind: "added", codes } : { kind: "failed" };
    };
    void make().then(setOutcome);
  }, [options]);
  if (!useHasPasskeys()) {
    return <p className="text-ink-soft">Adding a passkey requires JavaScript and a browser that supports passkeys.</p>;
  }
  return (
    <ActBody answer={answer} submit={submit} className="grid gap-3.5">
      {outcome.kind === "failed" && (
        <Notice tone="bad" role="alert">
          The device made no passkey, or one that is known here already. Nothing was added.
        </Notice>
      )}
      {outcome.kind === "added" && (
        <>
          <p role="status">Added. You can sign in with it alone from now on.</p>
          <RecoveryCodes codes={outcome.codes} />
        </>
      )}
      <ActText
        ref={name}
        label="Passkey name"
        name="name"
        maxLength={60}
        autoComplete="off"
        hint="Tells it apart from others, such as “Work laptop”."
      />
      <ActButtons>
        <SubmitButton>Add a passkey</SubmitButton>
      </ActButtons>
    </ActBody>
  );
}
