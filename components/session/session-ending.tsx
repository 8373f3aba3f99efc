"use client";

import { useEffect, useState } from "react";
import { Button } from "#components/form/plain-button";
import { Dialog } from "#components/shell/dialog";

type Props = { readonly endsAtMs: number; readonly isLast: boolean; readonly prolong: () => void };

/** Counts down to the end of the session; one press goes on, as often as is wanted, until it has lasted its longest. */
export function SessionEnding({ endsAtMs, isLast, prolong }: Props) {
  const [leftS, setLeftS] = useState(() => leftSTo(endsAtMs));
  const [isShown, setIsShown] = useState(true);
  useEffect(() => {
    const ticking = setInterval(() => setLeftS(leftSTo(endsAtMs)), 1_000);
    return () => clearInterval(ticking);
  }, [endsAtMs]);
  if (!isShown) return null;
  const close = () => (isLast ? setIsShown(false) : prolong());
  return (
    <Dialog label="Your session is about to end" close={close} className="max-w-sm">
      <div className="p-5">
        <h2 className="text-lg font-semibold">Your session is about to end</h2>
        <p className="mt-1.5 text-ink-soft">
          {isLast
            ? "It has lasted as long as a session may. Finish what you are at; after that, sign in again."
            : "Nothing was done here for a while. After that this page is covered, and you sign in again."}
        </p>
        <p role="timer" aria-live="off" className="mt-3 text-xl font-semibold">
          {Math.floor(leftS / 60)}:{String(leftS % 60).padStart(2, "0")}
        </p>
        <form method="dialog" className="mt-4">
          <Button tone="primary">{isLast ? "Go on until then" : "Stay signed in"}</Button>
        </form>
      </div>
    </Dialog>
  );
}

function leftSTo(atMs: number): number {
  return Math.max(0, Math.round((atMs - Date.now()) / 1_000));
}
