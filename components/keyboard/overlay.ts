export type Overlay = "help" | "palette";

const listeners = new Set<(overlay: Overlay) => void>();

/** Opens what the keys `?` and `Mod+k` open, from wherever a button for it stands. */
export function openOverlay(overlay: Overlay): void {
  for (const listener of listeners) listener(overlay);
}

export function onOverlay(listener: (overlay: Overlay) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
