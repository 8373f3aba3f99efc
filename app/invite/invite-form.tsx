"use client";

import Link from "next/link";
import { startTransition, useEffect } from "react";
import { ActBody, ActButtons, ActText, useAct } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import { Notice } from "#components/shell/notice";
import { answerLink } from "./actions.ts";
import type { LinkAnswer } from "./answer.ts";
import { Choose } from "./choose.tsx";

type Props = {
  readonly rule: string;
  /** What people here call the single sign-on provider; none where there is none. */
  readonly label: string | undefined;
  /** Why a trip to it came to nothing. */
  readonly alert: string | undefined;
};

/** Without scripts nobody reads the link's end from the address, so it can be pasted. */
export function InviteForm({ rule, label, alert }: Props) {
  const [answer, submit] = useAct<LinkAnswer>(answerLink);
  useEffect(() => {
    const code = decoded(window.location.hash.slice(1));
    if (code === "") return;
    // So that neither the history nor a shared screen keeps it.
    window.history.replaceState(null, "", window.location.pathname);
    const form = new FormData();
    form.set("code", code);
    startTransition(() => submit(form));
  }, [submit]);
  if (answer.isDone) return <Done />;
  return (
    <div className="grid gap-5">
      {alert !== undefined && answer.alert === undefined && (
        <Notice tone="bad" role="alert">
          {alert}
        </Notice>
      )}
      {answer.link ? (
        <Choose {...{ answer, rule, label, submit }} link={answer.link} />
      ) : (
        <ActBody answer={answer} submit={submit} className="grid gap-3.5">
          <Code />
        </ActBody>
      )}
    </div>
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function Code() {
  return (
    <>
      <ActText
        label="Your link"
        name="code"
        required
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
        hint="Paste the whole link from the email, or the one you were given."
      />
      <ActButtons>
        <SubmitButton tone="primary" wide>
          Go on
        </SubmitButton>
      </ActButtons>
    </>
  );
}

function Done() {
  return (
    <div role="status">
      <p className="mb-4">Your password is set. The link no longer works.</p>
      <Link href="/sign-in" prefetch={false} className="font-semibold underline">
        Sign in
      </Link>
    </div>
  );
}
