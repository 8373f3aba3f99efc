import { lead, type Heads, type TabMessage, type LiveMode } from "./live-lead.ts";

/** What this tab knows of what happens elsewhere. */
export type Live = {
  /** Undefined until the first news arrive. */
  readonly mode: LiveMode | undefined;
  readonly heads: Heads;
  /** How often the people at work in each practice were said to have changed. */
  readonly desk: Readonly<Record<string, number>>;
};

export const nothingYet: Live = { mode: undefined, heads: {}, desk: {} };

/** How long nobody in this tab listens before it lets go: going from page to page should not open another stream. */
const graceMs = 5_000;

type Asking = { readonly what: "asking" };

type Tab = {
  readonly personId: string;
  readonly listeners: Set<() => void>;
  live: Live;
  readonly close: () => void;
  /** Takes its turn to lead again, after it found that nobody was signed in. */
  readonly again: () => void;
  leaving?: ReturnType<typeof setTimeout> | undefined;
};

let tab: Tab | undefined;

export function liveNow(): Live {
  return tab?.live ?? nothingYet;
}

/** Follows what happens, as this person, until the returned function is called. */
export function followLive(personId: string, onChange: () => void): () => void {
  if (tab?.personId !== personId) {
    tab?.close();
    tab = openTab(personId);
  }
  followAgain();
  const mine = tab;
  clearTimeout(mine.leaving);
  mine.listeners.add(onChange);
  return () => {
    mine.listeners.delete(onChange);
    if (mine.listeners.size > 0) return;
    mine.leaving = setTimeout(() => {
      mine.close();
      if (tab === mine) tab = undefined;
    }, graceMs);
  };
}

/** A tab that found nobody signed in asks no more, until somebody is: whoever follows now, or came back. */
export function followAgain(): void {
  tab?.again();
}

/**
 * One tab of the browser holds the lock and leads: browsers open six
 * connections to a host, and a stream takes one. When it goes, another does.
 */
function openTab(personId: string): Tab {
  const name = `live:${personId}`;
  const closing = new AbortController();
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(name) : undefined;
  let leads = false;
  let waits = false;
  const opened: Tab = {
    personId,
    listeners: new Set(),
    live: nothingYet,
    close: () => {
      closing.abort();
      channel?.close();
    },
    again: () => void follow(),
  };
  const take = (message: TabMessage) => {
    opened.live = after(opened.live, message);
    for (const listener of opened.listeners) listener();
  };
  const tell = (message: TabMessage) => {
    if (closing.signal.aborted) return;
    take(message);
    channel?.postMessage(message);
  };
  channel?.addEventListener("message", ({ data }: MessageEvent<TabMessage | Asking>) => {
    if (data.what !== "asking") return take(data);
    // A tab that has just opened; what was told before, it has not heard.
    const { mode, heads } = opened.live;
    if (!leads || mode === undefined) return;
    channel.postMessage({ what: "cases", heads } satisfies TabMessage);
    channel.postMessage({ what: "mode", mode } satisfies TabMessage);
  });
  const leadUntilClosed = async () => {
    // Its turn comes when the tab before it found nobody signed in: it would find the same.
    if (opened.live.mode === "ended") return;
    leads = true;
    await lead(tell, closing.signal);
    leads = false;
  };
  const follow = async () => {
    if (waits) return;
    waits = true;
    if (opened.live.mode === "ended") opened.live = { ...opened.live, mode: undefined };
    channel?.postMessage({ what: "asking" } satisfies Asking);
    if (!channel || !("locks" in navigator)) await leadUntilClosed();
    // Rejects when this tab goes before it ever led.
    else await navigator.locks.request(name, { signal: closing.signal }, leadUntilClosed).catch(() => undefined);
    waits = false;
  };
  void follow();
  return opened;
}

function after(live: Live, message: TabMessage): Live {
  switch (message.what) {
    case "mode":
      return { ...live, mode: message.mode };
    case "cases": {
      const moved = Object.entries(message.heads).filter(([practice, head]) => head > (live.heads[practice] ?? -1));
      return moved.length === 0 ? live : { ...live, heads: { ...live.heads, ...Object.fromEntries(moved) } };
    }
    case "desk": {
      const counted = message.practices.map((practice) => [practice, (live.desk[practice] ?? 0) + 1]);
      return { ...live, desk: { ...live.desk, ...Object.fromEntries(counted) } };
    }
  }
}
