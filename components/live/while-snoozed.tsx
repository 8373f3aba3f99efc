"use client";

import type { ReactNode } from "react";
import type { SnoozeEnds } from "#lib/queue/live/snooze-ends";
import { useEnded } from "./use-ended.tsx";

type Props = { readonly ends: SnoozeEnds; readonly children: ReactNode };

/** What is said of a snoozed case, until the snooze has ended while the page was open. */
export function WhileSnoozed({ ends, children }: Props) {
  const hasEnded = useEnded(ends) > 0;
  return (
    <>
      <p role="status" className={hasEnded ? "min-w-0 flex-1" : "sr-only"}>
        {hasEnded && "The snooze has ended. The case is in the queue again."}
      </p>
      {!hasEnded && children}
    </>
  );
}
