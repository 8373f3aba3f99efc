"use client";

import { useEffect, useRef } from "react";
import type { Heads } from "./live-lead.ts";
import { useNotices } from "./use-notices.tsx";
import { useLive } from "./use-live.tsx";

/** Tells a reviewer who looks at something else that a case waits, where this browser was asked to. */
export function LiveNotices({ personId }: { readonly personId: string }) {
  const { isOn } = useNotices();
  return isOn ? <Watch personId={personId} /> : null;
}

/** Notifications come no closer together than this. */
const everyMs = 5_000;

/** A tab that is looked at marks the news as seen in this time; the others then stay silent. */
const seenMs = 400;
const seenKey = "live-seen";

function Watch({ personId }: { readonly personId: string }) {
  const { heads } = useLive(personId);
  const shown = useRef<Heads>(undefined);
  useEffect(() => {
    if (Object.keys(heads).length === 0) return undefined;
    // What there was when this browser began to watch is no news.
    shown.current ??= heads;
    if (!document.hidden && document.hasFocus()) {
      shown.current = heads;
      localStorage.setItem(seenKey, String(Date.now()));
      return undefined;
    }
    const since = sinceText(shown.current, heads);
    if (since === "") return undefined;
    const changedAt = Date.now();
    const timer = setTimeout(
      () => {
        shown.current = heads;
        if (Number(localStorage.getItem(seenKey)) < changedAt - seenMs) void notify(since);
      },
      Math.max(seenMs, Number(sessionStorage.getItem(seenKey)) + everyMs - changedAt),
    );
    return () => clearTimeout(timer);
  }, [heads]);
  return null;
}

function sinceText(shown: Heads, heads: Heads): string {
  const moved = Object.entries(heads).filter(([practice, head]) => head > (shown[practice] ?? head));
  return moved.map(([practice]) => `${practice}:${shown[practice]}`).join(",");
}

type Waiting = { readonly practice: string; readonly cases: number };

async function notify(since: string): Promise<void> {
  sessionStorage.setItem(seenKey, String(Date.now()));
  const answer = await fetch(`/live/waiting?since=${encodeURIComponent(since)}`, { cache: "no-store" }).catch(
    () => undefined,
  );
  if (!answer?.ok) return;
  // Safe because our own server writes it.
  for (const { practice, cases } of (await answer.json()) as readonly Waiting[]) show(practice, cases);
}

function show(practice: string, cases: number): void {
  const text = cases === 1 ? `1 case waits at ${practice}` : `${cases} cases wait at ${practice}`;
  try {
    // The same tag in every tab, so that the browser shows one.
    const notice = new Notification(text, { tag: `waiting:${practice}` });
    notice.addEventListener("click", () => {
      window.focus();
      location.assign("/queue");
      notice.close();
    });
  } catch {
    // A browser that has notifications only for installed pages.
  }
}
