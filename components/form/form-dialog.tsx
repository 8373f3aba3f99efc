"use client";

import { useEffect, type ReactNode, type RefObject } from "react";
import { classNames } from "#components/shell/class-names";
import type { ActAnswer } from "./act-answer.tsx";

type Props = {
  readonly here: RefObject<HTMLDialogElement | null>;
  readonly id: string;
  readonly title: string;
  /** An answer in it that has to be seen: with one it is drawn open, and stands above the page once a script runs. */
  readonly news: ActAnswer | undefined;
  /** Only what stands in it leads out of it: neither Escape nor a press beside it. */
  readonly stays: boolean;
  /** The button in its head that closes it. */
  readonly close?: ReactNode | undefined;
  readonly children: ReactNode;
};

/** The frame of a dialog that holds a form or the answer to one. Without JavaScript the server draws it open in the page. */
export function FormDialog({ here, id, title, news, stays, close, children }: Props) {
  useEffect(() => {
    const dialog = here.current;
    if (!dialog || news === undefined || dialog.matches(":modal")) return;
    // Drawn open by the server, it stands in the page; from here on it is above it.
    dialog.close();
    dialog.showModal();
  }, [here, news]);
  return (
    <dialog
      ref={here}
      id={id}
      open={news !== undefined || undefined}
      // For browsers without invoker commands; what stands open in the page is none.
      popover={news === undefined ? "auto" : undefined}
      aria-labelledby={`${id}-title`}
      onCancel={(event) => stays && event.preventDefault()}
      // A second Escape closes it whatever the first was answered.
      onClose={({ currentTarget }) => stays && !currentTarget.open && currentTarget.showModal()}
      className={classNames(
        "m-auto max-h-[calc(100dvh-1.5rem)] w-[calc(100vw-1.5rem)] max-w-lg overflow-y-auto overscroll-contain rounded-lg border border-line-strong",
        "bg-surface p-0 text-start text-base font-normal text-ink shadow-lg backdrop:bg-veil print:hidden",
      )}
    >
      <div className="flex items-start justify-between gap-4 border-b border-line px-5 py-3">
        <h2 id={`${id}-title`} className="text-lg font-semibold wrap-anywhere">
          {title}
        </h2>
        {close}
      </div>
      <div className="p-5">{children}</div>
    </dialog>
  );
}
