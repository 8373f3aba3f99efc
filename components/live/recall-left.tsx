"use client";

import { useEffect, useState } from "react";
import { serverNow } from "./server-clock.ts";

type Props = {
  /** When the recall window ends. */
  readonly untilMs: number;
  /** By the server's clock, when the page was made. */
  readonly nowMs: number;
};

/** Whole seconds until the window ends, from the first paint on; 0 once it has. */
export function useSecondsLeft({ untilMs, nowMs }: Props): number {
  const [leftS, setLeftS] = useState(secondsBetween(nowMs, untilMs));
  useEffect(() => {
    const tick = () => setLeftS(secondsBetween(serverNow(nowMs), untilMs));
    tick();
    const ticking = setInterval(tick, 250);
    return () => clearInterval(ticking);
  }, [untilMs, nowMs]);
  return leftS;
}

/** How long a release can still be recalled, counting down; it is read out when it is looked at, not each second. */
export function RecallLeft(props: Props) {
  const leftS = useSecondsLeft(props);
  return (
    <span role="timer" aria-live="off" className="whitespace-nowrap tabular-nums">
      {leftS > 0 ? `Undo within ${leftS} s` : "Submitting now"}
    </span>
  );
}

function secondsBetween(fromMs: number, toMs: number): number {
  return Math.max(0, Math.ceil((toMs - fromMs) / 1000));
}
