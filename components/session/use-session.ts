import { useEffect, useEffectEvent, useState } from "react";
import { dropDrafts } from "#components/form/drafts";
import { dropList } from "#components/keyboard/kept-list";
import type { LiveMode } from "#components/live/use-live";
import type { SessionLeft } from "#lib/person/session/session-left";

/** How long before the end a warning comes, and how often a page then looks whether somebody went on elsewhere. */
const warningMs = 2 * 60_000;
const lookMs = 10_000;

/** Somebody who types or presses is there: their session goes on, asked for this seldom. */
const usedMs = 5 * 60_000;

type Phase = "fine" | "ending" | "ended";

type Options = {
  readonly known: SessionLeft;
  readonly stay: () => Promise<SessionLeft | undefined>;
  /** How news arrive, which a session that is over ends. */
  readonly mode: LiveMode | undefined;
  /** The session lives again, after the page was covered. */
  readonly onBack: () => void;
};

type SessionWatch = {
  readonly phase: Phase;
  readonly endsAtMs: number;
  /** Nothing prolongs it: it has lasted as long as a session may. */
  readonly isLast: boolean;
  readonly prolong: () => void;
};

type State = {
  readonly phase: Phase;
  readonly endsAtMs: number;
  readonly isLast: boolean;
  readonly checkedAtMs: number;
};

/** Watches the session of this page by the server's word: its clock decides, not the browser's. */
export function useSession({ known, stay, mode, onBack }: Options): SessionWatch {
  const [state, setState] = useState<State>(() => stateOf(known));
  const [latest, setLatest] = useState(known);
  if (latest !== known) {
    setLatest(known);
    setState(stateOf(known));
  }
  const take = (left: SessionLeft | undefined) => {
    if (left && left.personId !== known.personId) return leavePage();
    if (left && state.phase === "ended") onBack();
    return setState(left ? stateOf(left) : (before) => ({ ...before, phase: "ended" }));
  };
  const look = useEffectEvent(async () => {
    const answer = await fetch("/session", { cache: "no-store" }).catch(() => undefined);
    // Safe because `/session` answers with this or with 401.
    if (answer?.ok) return take((await answer.json()) as SessionLeft);
    if (answer?.status === 401 || Date.now() >= state.endsAtMs) return take(undefined);
    // Not reached: the same again, and so another look later.
    return setState({ ...state });
  });
  const prolong = () => void stay().then(take, () => setState({ ...state }));
  const onUsed = useEffectEvent(() => {
    if (state.phase !== "fine" || Date.now() - state.checkedAtMs < usedMs) return;
    setState({ ...state, checkedAtMs: Date.now() });
    prolong();
  });
  useEffect(() => {
    if (state.phase === "ended") return undefined;
    const inMs = state.phase === "fine" ? Math.max(state.endsAtMs - Date.now() - warningMs, lookMs) : lookMs;
    const timer = setTimeout(() => void look(), inMs);
    return () => clearTimeout(timer);
  }, [state]);
  useEffect(() => listen(() => void look(), onUsed), []);
  const onTold = useEffectEvent((news: TabNews) => {
    if (news === "left" || state.phase === "ended") void look();
  });
  useEffect(() => amongTabs(onTold), []);
  // The stream ended for want of a session, or began again because somebody signed in.
  const onMode = useEffectEvent((now: LiveMode | undefined) => {
    if (now === "ended" || state.phase === "ended") void look();
  });
  useEffect(() => {
    const timer = setTimeout(() => onMode(mode));
    return () => clearTimeout(timer);
  }, [mode]);
  return { ...state, prolong };
}

/** Reloads for another person, who must see neither the page of the one before nor what was typed in it. */
function leavePage(): void {
  dropDrafts();
  dropList();
  // Or the browser puts the fields back after the reload.
  for (const form of document.forms) form.reset();
  location.reload();
}

function stateOf({ idleLeftMs, leftMs }: SessionLeft): State {
  const inMs = Math.min(idleLeftMs, leftMs);
  const phase = inMs > warningMs ? "fine" : "ending";
  return { phase, endsAtMs: Date.now() + inMs, isLast: leftMs <= idleLeftMs, checkedAtMs: Date.now() };
}

/** What the tabs of this browser tell each other: that somebody is signed in, or left by signing out; never who. */
type TabNews = "here" | "left";

/** Tells the other tabs what becomes of this one, and calls back with what they tell, until the returned function is called. */
function amongTabs(onTold: (news: TabNews) => void): () => void {
  const channel = new BroadcastChannel("session");
  channel.addEventListener("message", ({ data }: MessageEvent<TabNews>) => onTold(data));
  channel.postMessage("here" satisfies TabNews);
  return () => {
    if (location.pathname === "/sign-in") channel.postMessage("left" satisfies TabNews);
    channel.close();
  };
}

/** A page that is shown again, from another tab or from the browser's memory, may be shown too late; a form may be sent too late. */
function listen(onShown: () => void, onUsed: () => void): () => void {
  const whenVisible = () => {
    if (document.visibilityState === "visible") onShown();
  };
  document.addEventListener("visibilitychange", whenVisible);
  // What is answered "your session has ended" is covered as well.
  document.addEventListener("submit", onShown);
  window.addEventListener("pageshow", whenVisible);
  document.addEventListener("keydown", onUsed);
  document.addEventListener("pointerdown", onUsed);
  return () => {
    document.removeEventListener("visibilitychange", whenVisible);
    document.removeEventListener("submit", onShown);
    window.removeEventListener("pageshow", whenVisible);
    document.removeEventListener("keydown", onUsed);
    document.removeEventListener("pointerdown", onUsed);
  };
}
