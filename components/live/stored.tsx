const listeners = new Set<() => void>();

/** Hears of what the browser keeps for all tabs of this service, whichever tab changes it. */
export function listenToStored(onChange: () => void): () => void {
  listeners.add(onChange);
  window.addEventListener("storage", onChange);
  return () => {
    listeners.delete(onChange);
    window.removeEventListener("storage", onChange);
  };
}

/** Tells this tab what it changed itself; the browser tells the others. */
export function noteStored(): void {
  for (const listener of listeners) listener();
}
