"use client";

import { useState } from "react";
import { signWithPasskey } from "#components/form/passkey";
import { Button } from "#components/form/plain-button";
import { useHasPasskeys } from "#components/form/use-has-passkeys";
import { askSignIn, signInByPasskey } from "./actions.ts";

/** Signs in by a passkey alone. Its code is fetched when it is pressed; a browser that knows no passkeys shows nothing. */
export function PasskeySignIn({ next }: { readonly next: string }) {
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  if (!useHasPasskeys()) return null;
  const enter = async () => {
    setState("busy");
    const signed = await signWithPasskey(askSignIn);
    // It leads on where it signs in.
    if (signed) await signInByPasskey({ response: signed, next });
    setState("failed");
  };
  return (
    <div className="mt-3.5 grid gap-2">
      <Button type="button" wide onClick={() => void enter()} aria-disabled={state === "busy" || undefined}>
        Use a passkey
      </Button>
      {state === "failed" && (
        <p role="alert" className="text-sm text-bad">
          No passkey known here was shown. Try again, or sign in another way.
        </p>
      )}
    </div>
  );
}
