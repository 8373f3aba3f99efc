"use client";

import { busyText } from "#lib/messages/busy";
import { useActionState } from "react";
import { TextField } from "#components/form/field";
import { SubmitButton } from "#components/form/submit-button";
import { showCode, type SecondAnswer } from "../actions.ts";

type Props = {
  readonly next: string;
  /** An authenticator app's codes count for this person. */
  readonly app: boolean;
};

export function CodeForm({ next, app }: Props) {
  const [attempt, submit] = useActionState<SecondAnswer, FormData>(showCode, { problems: {} });
  return (
    <form action={submit} className="grid gap-3.5">
      {attempt.problem === "busy" && (
        <p role="alert" className="rounded-md border border-line bg-sunken px-3 py-2.5">
          {busyText}
        </p>
      )}
      {attempt.problem === "wrong" && (
        <p role="alert" className="rounded-md border border-bad/30 bg-bad-wash px-3 py-2.5">
          That code did not work. Each works once, and an app&rsquo;s for half a minute; after five tries the account
          has to wait a while.
        </p>
      )}
      <input type="hidden" name="next" value={next} />
      <TextField
        label={app ? "Code" : "Recovery code"}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page asks for this one thing
        autoFocus
        hint={app ? "The six digits your authenticator app shows, or one of your recovery codes." : undefined}
      />
      <SubmitButton tone="primary" wide>
        Continue
      </SubmitButton>
    </form>
  );
}
