"use client";

import { proofMinutes } from "#lib/access/model/proof";
import { useEffect, useRef, useState } from "react";
import { proofField, type ProofKind } from "./act-answer.tsx";
import { TextField } from "./field.tsx";
import { signWithPasskey } from "./passkey.tsx";
import { Button, buttonClass } from "./plain-button.tsx";
import { askProof, showProof } from "./proof-actions.ts";
import { useHasPasskeys } from "./use-has-passkeys.tsx";

type Props = {
  readonly kind: ProofKind;
  readonly hint?: string | undefined;
  /** The form was sent before: a passkey sends it again. */
  readonly submits?: boolean | undefined;
};

/** Where somebody who is signed in proves again who they are, within the form of what they want to do. */
export function ProofField({
  kind,
  hint = `Counts for ${proofMinutes} minutes in this session.`,
  submits = false,
}: Props) {
  const [isProved, setProved] = useState(false);
  if (isProved) return <Proved submits={submits} />;
  if (kind === "provider") return <ProviderProof hint={hint} />;
  if (kind === "password") {
    return (
      <TextField
        {...{ label: "Your password", name: proofField, hint }}
        type="password"
        autoComplete="current-password"
        required
      />
    );
  }
  return (
    <>
      {kind === "passkey" && <PasskeyProof onProved={() => setProved(true)} />}
      <TextField
        {...{ label: kind === "passkey" ? "Or a code" : "Code", name: proofField }}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        hint={`Of your authenticator app, or a recovery code. ${hint}`}
        required
      />
    </>
  );
}

/** In a tab of its own, so that nothing typed here is lost, with scripts or without. */
function ProviderProof({ hint }: { readonly hint: string }) {
  return (
    <div className="grid justify-items-start gap-2">
      <a href="/account/proof" target="_blank" rel="noopener" className={buttonClass({})}>
        Verify your identity (opens a new tab)
      </a>
      <p className="text-sm text-ink-faint">Come back then and press the button below. {hint}</p>
    </div>
  );
}

/** Stands where the code was asked for, so that no empty field holds the form back. */
function Proved({ submits }: { readonly submits: boolean }) {
  const here = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (submits) here.current?.closest("form")?.requestSubmit();
  }, [submits]);
  return (
    <p ref={here} role="status">
      Identity verified for {proofMinutes} minutes.
    </p>
  );
}

function PasskeyProof({ onProved }: { readonly onProved: () => void }) {
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  if (!useHasPasskeys()) return null;
  const prove = async () => {
    setState("busy");
    const signed = await signWithPasskey(askProof);
    if (!signed || !(await showProof({ response: signed }))) return setState("failed");
    onProved();
  };
  return (
    <div className="grid justify-items-start gap-2">
      <Button type="button" onClick={() => void prove()} aria-disabled={state === "busy" || undefined}>
        Use a passkey
      </Button>
      {state === "failed" && (
        <p role="alert" className="text-bad">
          No passkey of yours was shown. Try again, or type a code.
        </p>
      )}
    </div>
  );
}
