"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { ActForm } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import { useSecondsLeft } from "#components/live/recall-left";
import type { ShownGate } from "#lib/task/model/lifecycle/command";
import { takeBack } from "./actions.ts";

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
    <aside
      aria-label="Your last decision"
      data-undo=""
      className="appear fixed inset-x-3 bottom-20 z-30 rounded-lg border border-line-strong bg-surface px-4 py-2 shadow-lg sm:inset-x-auto sm:start-4 sm:w-[26rem] lg:start-18 lg:bottom-4 xl:inset-x-0 xl:mx-auto print:hidden"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
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
            {what === "recall" && (
              <span role="timer" aria-live="off" className="text-sm text-ink-soft tabular-nums">
                {leftS} s
              </span>
            )}
            <SubmitButton shortcut="u">{what === "recall" ? "Undo" : "Withdraw release"}</SubmitButton>
          </ActForm>
        )}
      </div>
    </aside>
  );
}
