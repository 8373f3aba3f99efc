"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { ActForm } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import { useSecondsLeft } from "#components/live/recall-left";
import type { ShownGate } from "#lib/task/model/lifecycle/command";
import { takeBack, takeBackSeveral } from "./actions.ts";

type Props = {
  readonly taskId: string;
  readonly shortId: string;
  /** What was decided, up to the case's short id. */
  readonly text: string;
  /** How it is taken back; undefined where it can't be. */
  readonly what: "recall" | "withdraw-vote" | undefined;
  readonly seen: ShownGate;
  readonly untilMs: number;
  readonly nowMs: number;
  /** Made with the bar; a press counts once. */
  readonly once: string;
};

/** The bar itself. It lies beside what is decided next and moves nothing; it is announced once, and not each second. */
export function UndoStrip({ taskId, shortId, text, what, seen, untilMs, nowMs, once }: Props) {
  const leftS = useSecondsLeft({ untilMs, nowMs });
  const isHere = usePathname() === `/tasks/${taskId}`;
  // The case's own page says where it stands, with the same button.
  if (leftS === 0 || isHere) return null;
  return (
    <Strip label="Your last decision">
      <p role="status" className="min-w-0">
        {text}{" "}
        <Link href={`/tasks/${taskId}`} prefetch={false} className="font-mono font-semibold underline">
          {shortId}
        </Link>
      </p>
      {what !== undefined && (
        <ActForm act={takeBack} data-form="undo" className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {Object.entries({ what, taskId, key: once, ...seen }).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {what === "recall" && <SecondsLeft leftS={leftS} />}
          <SubmitButton shortcut="u">{what === "recall" ? "Undo" : "Withdraw release"}</SubmitButton>
        </ActForm>
      )}
    </Strip>
  );
}

type SeveralProps = Pick<Props, "text" | "untilMs" | "nowMs"> & {
  /** Of each release that can still be undone, its case and its gate. */
  readonly items: readonly string[];
};

/** The same for several cases that were released together. */
export function SeveralStrip({ text, items, untilMs, nowMs }: SeveralProps) {
  const leftS = useSecondsLeft({ untilMs, nowMs });
  const path = usePathname();
  // On the page of one of them, Undo is of that case alone.
  const isHere = items.some((item) => path === `/tasks/${item.split(" ")[0]}`);
  if (leftS === 0 || isHere) return null;
  return (
    <Strip label="Your last decisions">
      <p role="status" className="min-w-0">
        {text}
      </p>
      <ActForm act={takeBackSeveral} data-form="undo" className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {items.map((item) => (
          <input key={item} type="hidden" name="item" value={item} />
        ))}
        {items.length > 0 && (
          <>
            <SecondsLeft leftS={leftS} />
            <SubmitButton shortcut="u">Undo</SubmitButton>
          </>
        )}
      </ActForm>
    </Strip>
  );
}

function Strip({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <aside
      aria-label={label}
      data-undo=""
      className="appear fixed inset-x-3 bottom-20 z-30 rounded-lg border border-line-strong bg-surface px-4 py-2 shadow-lg sm:inset-x-auto sm:start-4 sm:w-[26rem] lg:start-18 lg:bottom-4 xl:inset-x-0 xl:mx-auto print:hidden"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">{children}</div>
    </aside>
  );
}

function SecondsLeft({ leftS }: { readonly leftS: number }) {
  return (
    <span role="timer" aria-live="off" className="text-sm text-ink-soft tabular-nums">
      {leftS} s
    </span>
  );
}
