import { useSyncExternalStore } from "react";

const key = "live-updates";
const listeners = new Set<() => void>();

/** Whether the reader paused announcements; remembered by the browser, and the same in all its tabs. */
export function usePaused(): readonly [boolean, (paused: boolean) => void] {
  return [useSyncExternalStore(listen, isPaused, () => false), setPaused];
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
  for (const listener of listeners) listener();
}

function listen(onChange: () => void): () => void {
  listeners.add(onChange);
  window.addEventListener("storage", onChange);
  return () => {
    listeners.delete(onChange);
    window.removeEventListener("storage", onChange);
  };
}
