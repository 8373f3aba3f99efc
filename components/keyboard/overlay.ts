import { useSyncExternalStore } from "react";

export type Overlay = "help" | "palette";

/** It outlives a page's own keyboard: what a key opens while one page takes the place of another opens over the new one. */
let open: Overlay | undefined;

const listeners = new Set<() => void>();

/** Opens what the keys `?` and `Mod+k` open, from wherever a button for it stands. */
export function openOverlay(overlay: Overlay): void {
  become(overlay);
}

/** Closes this one, if it is what is open. */
export function closeOverlay(overlay: Overlay): void {
  if (open === overlay) become(undefined);
}

/** What is open over the page now. */
export function useOverlay(): Overlay | undefined {
  return useSyncExternalStore(
    onChange,
    () => open,
    () => undefined,
  );
}

function become(overlay: Overlay | undefined): void {
  open = overlay;
  for (const listener of listeners) listener();
}

function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
