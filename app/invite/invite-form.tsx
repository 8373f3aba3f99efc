"use client";

import Link from "next/link";
import { startTransition, useActionState, useEffect } from "react";
import { TextField } from "#components/field";
import { SubmitButton } from "#components/submit-button";
import { answerLink } from "./actions.ts";
import { noLink, type LinkAnswer } from "./answer.ts";

/** Without scripts nobody reads the link's end from the address, so it can be pasted. */
export function InviteForm({ rule }: { readonly rule: string }) {
  const [answer, submit] = useActionState(answerLink, noLink);
  useEffect(() => {
    const code = window.location.hash.slice(1);
    if (code === "") return;
    // So that neither the history nor a shared screen keeps it.
    window.history.replaceState(null, "", window.location.pathname);
    const form = new FormData();
    form.set("code", code);
    startTransition(() => submit(form));
  }, [submit]);
  if (answer.step === "done") return <Done />;
  return (
    <form action={submit} className="grid gap-3.5">
      {answer.alert !== undefined && (
        <p role="alert" className="rounded-md border border-bad/30 bg-bad-wash px-3 py-2.5">
          {answer.alert}
        </p>
      )}
      {answer.step === "choose" ? <Choose answer={answer} rule={rule} /> : <Code />}
    </form>
  );
}

function Code() {
  return (
    <>
      <TextField
        label="Your link"
        name="code"
        required
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
        hint="Paste the whole link from the mail, or what you were handed."
      />
      <SubmitButton tone="primary" wide>
        Go on
      </SubmitButton>
    </>
  );
}

function Choose({ answer, rule }: { readonly answer: LinkAnswer; readonly rule: string }) {
  const { code, email, name, isInvitation, problems } = answer;
  return (
    <>
      <input type="hidden" name="code" value={code} />
      <input type="hidden" name="chosen" value="yes" />
      <p className="text-ink-soft">
        {isInvitation ? "You are invited as " : "For "}
        <span className="font-semibold wrap-anywhere text-ink">{email}</span>.
      </p>
      {/* For password managers, which keep a password with whose it is. */}
      <input type="hidden" name="username" value={email} autoComplete="username" />
      {isInvitation && (
        <TextField
          label="Your name"
          name="name"
          required
          maxLength={100}
          autoComplete="name"
          defaultValue={name}
          error={problems.name}
          hint="Colleagues and the record show it beside what you decide."
        />
      )}
      <TextField
        label="New password"
        name="password"
        type="password"
        required
        autoComplete="new-password"
        error={problems.password}
        hint={rule}
      />
      <SubmitButton tone="primary" wide>
        {isInvitation ? "Accept the invitation" : "Save the password"}
      </SubmitButton>
    </>
  );
}

function Done() {
  return (
    <div role="status">
      <p className="mb-4">Your password is set, and the link is used up.</p>
      <Link href="/sign-in" prefetch={false} className="font-semibold underline">
        Sign in
      </Link>
    </div>
  );
}
