"use client";

import { useEffect, useState } from "react";
import type { SnoozeEnds } from "#lib/queue/live/snooze-ends";
import { serverNow } from "./server-clock.ts";

/** A timer longer than this fires at once. */
const timerMaxMs = 2 ** 31 - 1;

/** The database decides what has ended, so a page asks when its clock, which lags, is past the instant too. */
const graceMs = 1_000;

/** How many of these snoozes have ended since the page was drawn, by the server's clock. */
export function useEnded({ drawnMs, endsMs }: SnoozeEnds): number {
  const [ended, setEnded] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      const nowMs = serverNow(drawnMs);
      setEnded(endsMs.filter((at) => at + graceMs <= nowMs).length);
      const next = endsMs.find((at) => at + graceMs > nowMs);
      if (next !== undefined) timer = setTimeout(look, Math.min(timerMaxMs, next + graceMs - nowMs));
    };
    look();
    return () => clearTimeout(timer);
  }, [drawnMs, endsMs]);
  return ended;
}
