"use client";

import { useLayoutEffect, useRef } from "react";
import { buttonClass } from "#components/form/plain-button";
import { isTyped } from "#components/form/is-typed";
import { Mark } from "#components/shell/mark";

/** Stands over the whole page, which the style sheet hides; only signing in again takes it away. */
export function SessionEnded() {
  const here = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (here.current?.open === false) here.current.showModal();
  }, []);
  const typed = isTyped();
  return (
    <dialog
      ref={here}
      aria-labelledby="session-ended"
      onCancel={(event) => event.preventDefault()}
      onClose={({ currentTarget }) => currentTarget.showModal()}
      className="fixed inset-0 grid size-full max-h-none max-w-none place-items-center bg-canvas px-4 text-ink"
    >
      <div className="max-w-sm">
        <Mark size={28} />
        <h1 id="session-ended" className="mt-4 text-xl font-semibold">
          Your session has ended
        </h1>
        <p className="mt-2 mb-5 text-ink-soft">
          The page is covered, and nothing was decided.
          {typed && " What you typed is still under the cover: sign in in the new tab, then come back to this one."}
        </p>
        {/* A plain link: the page, and with it what it holds, is fetched anew. */}
        <a
          href={`/sign-in?next=${encodeURIComponent(`${location.pathname}${location.search}`)}`}
          target={typed ? "_blank" : undefined}
          className={buttonClass({ tone: "primary" })}
        >
          Sign in again
        </a>
      </div>
    </dialog>
  );
}
