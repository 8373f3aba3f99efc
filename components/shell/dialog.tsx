"use client";

import { useLayoutEffect, useRef, type ReactNode } from "react";

type Props = {
  readonly label: string;
  readonly close: () => void;
  /** Its width. */
  readonly className: string;
  readonly children: ReactNode;
};

/** A dialog above everything. The browser keeps the focus in it, closes it on Escape and gives the focus back. */
export function Dialog({ label, close, className, children }: Props) {
  const here = useRef<HTMLDialogElement>(null);
  // Before paint, and while it still stands in the page when it goes: then the browser gives the focus back.
  useLayoutEffect(() => {
    const dialog = here.current;
    if (dialog?.open === false) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a click outside is one more way to close it; Escape and the button are the others
    <dialog
      ref={here}
      aria-label={label}
      onClose={close}
      onClick={({ target }) => target === here.current && here.current?.close()}
      className={`fixed inset-x-0 mx-auto mt-[10dvh] mb-auto max-h-[80dvh] w-[calc(100vw-1.5rem)] scroll-pt-14 overflow-y-auto overscroll-contain rounded-lg border border-line-strong bg-surface text-ink shadow-lg backdrop:bg-veil print:hidden ${className}`}
    >
      {children}
    </dialog>
  );
}
