"use client";

import { useSyncExternalStore } from "react";

const named: Readonly<Record<string, string>> = {
  ArrowDown: "↓",
  ArrowUp: "↑",
  Escape: "Esc",
  Enter: "Enter",
  Shift: "Shift",
};

/** A shortcut as its keys stand on the reader's keyboard. */
export function KeysShown({ chord }: { readonly chord: string }) {
  const mac = useSyncExternalStore(never, isMac, () => false);
  const keys = chord.split(" ").map((press) => press.split("+").map((key) => nameOf(key, mac)));
  return (
    <span className="inline-flex gap-1">
      {keys.flat().map((key, index) => (
        <kbd
          key={index}
          className="min-w-5 rounded-sm border border-line-strong/60 bg-surface px-1 text-center font-sans text-xs text-ink-soft"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}

function nameOf(key: string, mac: boolean): string {
  if (key === "Mod") return mac ? "⌘" : "Ctrl";
  return named[key] ?? key.toUpperCase();
}

function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.userAgent);
}

/** A keyboard does not change while a page is open. */
function never(): () => void {
  return () => undefined;
}
