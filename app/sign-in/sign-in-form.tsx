"use client";

import { busyText } from "#lib/messages/busy";
import { useActionState, useEffect } from "react";
import { dropDrafts } from "#components/form/drafts";
import { dropList } from "#components/keyboard/kept-list";
import { TextField } from "#components/form/field";
import { SubmitButton } from "#components/form/submit-button";
import { signIn, type SignInAnswer } from "./actions.ts";

export function SignInForm({ next }: { readonly next: string }) {
  const [attempt, submit] = useActionState<SignInAnswer, FormData>(signIn, { problems: {} });
  // Whoever comes next to this tab finds nothing of what was typed in it.
  useEffect(() => {
    dropDrafts();
    dropList();
  }, []);
  return (
    <form action={submit} className="grid gap-3.5">
      {attempt.problem === "busy" && (
        <p role="alert" className="rounded-md border border-line bg-sunken px-3 py-2.5">
          {busyText}
        </p>
      )}
      {attempt.problem === "failed" && (
        // Without the icons of a notice: this page is to be there at once on any network. Not that the password is wrong:
        // whoever has to wait, or has to use single sign-on, is refused with the right one.
        <p role="alert" className="rounded-md border border-bad/30 bg-bad-wash px-3 py-2.5">
          Sign-in failed. Check the email and password. After five wrong tries, you have to wait a while even with the
          right ones.
        </p>
      )}
      <input type="hidden" name="next" value={next} />
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        required
        defaultValue={attempt.typed?.email?.[0]}
        error={attempt.problems.email}
      />
      <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
      <SubmitButton tone="primary" wide>
        Sign in
      </SubmitButton>
    </form>
  );
}
