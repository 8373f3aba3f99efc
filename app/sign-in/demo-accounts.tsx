"use client";

import { useActionState } from "react";
import { SubmitButton } from "#components/form/submit-button";
import type { DemoSignIn } from "#lib/person/sign-in/demo-sign-ins";
import { signIn, type SignInAnswer } from "./actions.ts";

type Props = { readonly list: readonly DemoSignIn[]; readonly next: string };

/** The sign-ins of the demo; one press signs in. */
export function DemoAccounts({ list, next }: Props) {
  const [attempt, submit] = useActionState<SignInAnswer, FormData>(signIn, { problems: {} });
  return (
    <section aria-labelledby="demo-accounts" className="mt-6 rounded-lg border border-test bg-test-wash p-4">
      <h2 id="demo-accounts" className="font-semibold text-test">
        Demo accounts
      </h2>
      <p className="mt-1 text-sm text-ink-soft">Synthetic data. These exist only in this demo.</p>
      {attempt.problem !== undefined && (
        <p role="alert" className="mt-2 text-sm text-bad">
          {attempt.problem === "busy"
            ? "Many people are signing in just now. Try again in a moment."
            : "That didn't work. Someone may have changed this demo password."}
        </p>
      )}
      <ul className="mt-3 grid gap-3">
        {list.map(({ role, email, password }) => (
          <li key={email}>
            <form action={submit} className="grid gap-1">
              <input type="hidden" name="next" value={next} />
              <input type="hidden" name="email" value={email} />
              <input type="hidden" name="password" value={password} />
              <SubmitButton wide>Sign in as {role.toLowerCase()}</SubmitButton>
              <span className="text-xs wrap-anywhere text-ink-soft">
                {email}
                <code className="block font-mono">{password}</code>
              </span>
            </form>
          </li>
        ))}
      </ul>
    </section>
  );
}
