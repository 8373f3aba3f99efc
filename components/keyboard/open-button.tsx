"use client";

import { KeysShown } from "./keys-shown.tsx";
import { openOverlay, type Overlay } from "./overlay.ts";

const buttons = {
  palette: { name: "Go to or do…", chord: "Mod+k" },
  help: { name: "Shortcuts", chord: "?" },
} as const satisfies Record<Overlay, { readonly name: string; readonly chord: string }>;

/** Opens what a key opens, for those who do not know the key. */
export function OpenButton({ overlay }: { readonly overlay: Overlay }) {
  const { name, chord } = buttons[overlay];
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={() => openOverlay(overlay)}
      className="flex min-h-8 w-full pointer-coarse:min-h-11 cursor-pointer items-center justify-between gap-2 rounded-md px-2 py-1 text-ink-soft hover:bg-hover hover:text-ink"
    >
      {name}
      <span aria-hidden className="pointer-coarse:hidden">
        <KeysShown chord={chord} />
      </span>
    </button>
  );
}
