"use client";

import { useRouter } from "next/navigation";
import { useEffect, useTransition } from "react";
import { useSecondsLeft } from "#components/live/recall-left";
import { unattended } from "#components/live/unattended";

const everyMs = 2_000;
const looksMax = 45;

type Props = { readonly untilMs: number; readonly nowMs: number };

/**
 * Counts down the recall window, then looks what became of the case until it
 * moves on, for a minute and a half at most. Without JavaScript the page says
 * how much was left when it was made.
 */
export function Follow({ untilMs, nowMs }: Props) {
  const router = useRouter();
  const leftS = useSecondsLeft({ untilMs, nowMs });
  const isDue = leftS === 0;
  const [refreshing, startRefreshing] = useTransition();
  useEffect(() => (refreshing ? unattended() : undefined), [refreshing]);
  useEffect(() => {
    if (!isDue) return;
    let looks = 0;
    const looking = setInterval(() => {
      looks += 1;
      if (looks > looksMax) return clearInterval(looking);
      startRefreshing(() => router.refresh());
    }, everyMs);
    return () => clearInterval(looking);
  }, [isDue, router]);
  return (
    <p role="timer" aria-live="off" className="text-ink-soft tabular-nums">
      {isDue
        ? "Checking for the result"
        : `Submitting in ${Math.floor(leftS / 60)}:${`${leftS % 60}`.padStart(2, "0")}`}
    </p>
  );
}
