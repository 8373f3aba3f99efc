"use client";

import { useActionState, useEffect, useRef, useState } from "react";
import { TextField } from "#components/form/field";
import { Notice } from "#components/shell/notice";
import { ProofField } from "#components/form/proof-field";
import { RecoveryCodes } from "#components/form/recovery-codes";
import { SubmitButton } from "#components/form/submit-button";
import { useHasPasskeys } from "#components/form/use-has-passkeys";
import { makePasskey } from "#components/form/passkey";
import { addMade } from "#lib/person/second-factor/passkey-actions";
import { startPasskey, type StartAnswer } from "./actions.ts";

/** What came of the device's answer. */
type Outcome = { readonly kind: "idle" | "failed" } | { readonly kind: "added"; readonly codes: readonly string[] };

/** Adds a passkey: the server says what to make, the device makes it, the server checks it. */
export function NewPasskey() {
  const [answer, submit] = useActionState<StartAnswer, FormData>(startPasskey, { problems: {} });
  const [outcome, setOutcome] = useState<Outcome>({ kind: "idle" });
  const name = useRef<HTMLInputElement>(null);
  const options = answer.passkey;
  useEffect(() => {
    if (!options) return;
    const make = async (): Promise<Outcome> => {
      const made = await makePasskey(options);
      const codes = made && (await addMade(made, name.current?.value ?? ""));
      return codes ? { kind: "added", codes } : { kind: "failed" };
    };
    void make().then(setOutcome);
  }, [options]);
  if (!useHasPasskeys()) {
    return <p className="text-ink-soft">To add one takes JavaScript and a browser that knows passkeys.</p>;
  }
  return (
    <form action={submit} className="grid gap-3.5">
      {answer.alert !== undefined && (
        <Notice tone="bad" role="alert">
          {answer.alert}
        </Notice>
      )}
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
      {answer.asks && <ProofField key={answer.alert} kind={answer.asks} submits />}
      <TextField
        ref={name}
        label="Name of the new one"
        name="name"
        maxLength={60}
        defaultValue={answer.typed?.name?.[0]}
        autoComplete="off"
        hint="What tells this device from your others, such as “Work laptop”."
      />
      <div>
        <SubmitButton>Add a passkey</SubmitButton>
      </div>
    </form>
  );
}
