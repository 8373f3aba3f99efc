import { useSyncExternalStore } from "react";
import { listenToStored, noteStored } from "./stored.tsx";

const key = "live-updates";

/** Whether the reader paused announcements; remembered by the browser, and the same in all its tabs. */
export function usePaused(): readonly [boolean, (paused: boolean) => void] {
  return [useSyncExternalStore(listenToStored, isPaused, () => false), setPaused];
}

function isPaused(): boolean {
  try {
    return localStorage.getItem(key) === "paused";
  } catch {
    return false;
  }
}

function setPaused(paused: boolean): void {
  try {
    if (paused) localStorage.setItem(key, "paused");
    else localStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing announces as before.
  }
  noteStored();
}
