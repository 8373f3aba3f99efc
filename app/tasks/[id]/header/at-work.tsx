"use client";

import { createContext, use, useEffect, useState, type ReactNode } from "react";
import { useLive } from "#components/live/use-live";
import type { DeskStatus } from "#lib/queue/desk-status";

/** How often an open page reports that it is read; the server stops believing it after fifty seconds. */
const everyMs = 20_000;

/** What counts as using the page. */
const uses = ["pointerdown", "pointermove", "keydown", "scroll"] as const;

const DeskContext = createContext<DeskStatus>({ atMs: 0, readers: [] });

/** Who is at work on the case, the latest that is known. */
export function useDesk(): DeskStatus {
  return use(DeskContext);
}

/** Which case of which practice is read by whom. */
export type Place = { readonly taskId: string; readonly practiceId: string; readonly personId: string };

type Props = { readonly place: Place; readonly now: DeskStatus; readonly children: ReactNode };

/**
 * Tells the server that the case is read while its page is in view, and keeps up with who else is at work on it. The
 * reader's claim, and their session, run on only where they use the page. Without it the page is as it was drawn.
 */
export function AtWork({ place: { taskId, practiceId, personId }, now, children }: Props) {
  const [latest, setLatest] = useState<DeskStatus>();
  const changes = useLive(personId).desk[practiceId] ?? 0;
  useEffect(() => {
    let used = true;
    const leaving = new AbortController();
    const { signal } = leaving;
    const onUse = () => {
      used = true;
    };
    const report = () => {
      const sign = used ? "used" : "open";
      used = false;
      void reportPresence({ taskId, sign, signal }, setLatest);
    };
    const leave = () => void navigator.sendBeacon(pathOf(taskId, "left"));
    report();
    const timer = setInterval(report, everyMs);
    document.addEventListener("visibilitychange", report, { signal });
    window.addEventListener("pagehide", leave, { signal });
    for (const use of uses) window.addEventListener(use, onUse, { passive: true, capture: true, signal });
    return () => {
      leaving.abort();
      clearInterval(timer);
      leave();
    };
  }, [taskId]);
  useEffect(() => {
    const leaving = new AbortController();
    if (changes > 0) void reportPresence({ taskId, sign: "open", signal: leaving.signal }, setLatest);
    return () => leaving.abort();
  }, [taskId, changes]);
  return <DeskContext value={latest && latest.atMs > now.atMs ? latest : now}>{children}</DeskContext>;
}

type Presence = { readonly taskId: string; readonly sign: "used" | "open"; readonly signal: AbortSignal };

/** The server answers with who is at work by then. A page out of view reports nothing. */
async function reportPresence({ taskId, sign, signal }: Presence, keep: (status: DeskStatus) => void): Promise<void> {
  if (document.hidden) return;
  try {
    const answer = await fetch(pathOf(taskId, sign), { method: "POST", cache: "no-store", signal });
    // Safe because only our own route answers here.
    if (answer.ok) keep((await answer.json()) as DeskStatus);
  } catch {
    // The next report is soon enough.
  }
}

function pathOf(taskId: string, sign: "used" | "open" | "left"): string {
  return `/tasks/${taskId}/presence?sign=${sign}`;
}
