import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Heads } from "./live-lead.ts";
import { followLive, liveNow, nothingYet, type Live } from "./live-tabs.ts";

export type { LiveMode } from "./live-lead.ts";
export { followAgain } from "./live-tabs.ts";

/** What happens elsewhere, as it happens; nothing on the server and without JavaScript. */
export function useLive(personId: string): Live {
  const [follow] = useState(() => (onChange: () => void) => followLive(personId, onChange));
  return useSyncExternalStore(follow, liveNow, () => nothingYet);
}

/** At most one question in this time; what comes in between is asked for together. */
const askEveryMs = 2_000;

type Options = {
  readonly live: Live;
  /** The heads this page was drawn at. */
  readonly base: Heads;
  /** Where to ask what happened; `since` is added. */
  readonly path: string;
  readonly isOn: boolean;
  /** How much has happened that is not on record, so that no head has moved. */
  readonly also?: number | undefined;
};

/** What happened since this page was drawn, asked for whenever the record moved on; forgotten when the page is drawn anew. */
export function useNews<News>({ live, base, path, isOn, also = 0 }: Options): News | undefined {
  const isVisible = useSyncExternalStore(onVisibility, isVisibleNow, () => false);
  const [found, setFound] = useState<{ readonly base: Heads; readonly news: News }>();
  const requestedAt = useRef(0);
  const drawn = useRef<AbortController>(undefined);
  useEffect(() => {
    const drawing = (drawn.current = new AbortController());
    return () => drawing.abort();
  }, [base]);
  const moved = Object.entries(base).filter(([practice, head]) => (live.heads[practice] ?? 0) > head);
  const heads = also > 0 ? Object.entries(base) : moved;
  const since = heads.map(([practice, head]) => `${practice}:${head}`).join(",");
  // Asked again whenever any of them moves further.
  const upTo = moved.map(([practice]) => live.heads[practice]).join(",");
  useEffect(() => {
    if (!isOn || !isVisible || since === "") return undefined;
    const signal = drawn.current?.signal;
    const ask = async () => {
      requestedAt.current = Date.now();
      const news = await askFor<News>(`${path}since=${encodeURIComponent(since)}`, signal);
      if (news && !signal?.aborted) setFound({ base, news });
    };
    const timer = setTimeout(() => void ask(), Math.max(0, requestedAt.current + askEveryMs - Date.now()));
    return () => clearTimeout(timer);
  }, [isOn, isVisible, since, upTo, path, base, also]);
  return isOn && found?.base === base ? found.news : undefined;
}

async function askFor<News>(path: string, signal: AbortSignal | undefined): Promise<News | undefined> {
  try {
    const answer = await fetch(path, { signal: signal ?? null, cache: "no-store" });
    // Safe because our own server writes it.
    return answer.ok ? ((await answer.json()) as News) : undefined;
  } catch {
    return undefined;
  }
}

function onVisibility(onChange: () => void): () => void {
  document.addEventListener("visibilitychange", onChange);
  return () => document.removeEventListener("visibilitychange", onChange);
}

function isVisibleNow(): boolean {
  return !document.hidden;
}
