"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";

const everyMs = 2_000;
const looksMax = 45;

/**
 * Counts down to `fromMs`, then looks what became of the case until it moves on,
 * for a minute and a half at most. Without it the page still says the time.
 */
export function Follow({ fromMs }: { readonly fromMs?: number | undefined }) {
  const router = useRouter();
  const [leftS, setLeftS] = useState<number>();
  useEffect(() => {
    const tick = () => setLeftS(Math.max(0, Math.ceil(((fromMs ?? 0) - Date.now()) / 1000)));
    tick();
    const ticking = setInterval(tick, 250);
    return () => clearInterval(ticking);
  }, [fromMs]);
  const isDue = leftS === 0;
  useEffect(() => {
    if (!isDue) return;
    let looks = 0;
    const looking = setInterval(() => {
      looks += 1;
      if (looks > looksMax) return clearInterval(looking);
      router.refresh();
    }, everyMs);
    return () => clearInterval(looking);
  }, [isDue, router]);
  if (leftS === undefined) return null;
  return (
    <p role="timer" aria-live="off" className="text-ink-soft">
      {isDue ? "Looking for what comes of it." : `In ${leftS} s`}
    </p>
  );
}
